import { useRef, useState } from "react";
import { type Draft, draft } from "./draft";

/** The form that is being filled in under a link: kept in this tab at every change, until it is sent. */
export function useDraft(token: string, first: () => Draft) {
  const [state, setState] = useState(() => draft.read(token) ?? first());
  const latest = useRef(state);
  return {
    state,
    update: (change: (before: Draft) => Draft) => {
      latest.current = change(latest.current);
      draft.write(token, latest.current);
      setState(latest.current);
    },
    clear: () => draft.clear(token),
  };
}
