import { useLocation, useNavigate, useSearchParams } from "react-router";

/** In the address: which list in hand is open. A reload opens it again, the browser's Back closes it. */
export const LIST = "list";

interface Came {
  /** The entry before this one is the page without the list. */
  readonly fromPage: boolean;
}

/** The list in hand that the address names, and the ways to it and from it. */
export function useListPlace() {
  const [query, setQuery] = useSearchParams();
  const state = useLocation().state as Came | null;
  const navigate = useNavigate();
  const isNamed = query.has(LIST);
  const without = (before: URLSearchParams) => {
    const after = new URLSearchParams(before);
    after.delete(LIST);
    return after;
  };
  const forget = () => setQuery(without, { replace: true });
  return {
    uuid: query.get(LIST) ?? undefined,
    go: (uuid: string) => {
      const to = (before: URLSearchParams) => {
        const after = new URLSearchParams(before);
        after.set(LIST, uuid);
        return after;
      };
      // One list in place of another is no step of its own.
      setQuery(to, isNamed ? { replace: true, state } : { state: { fromPage: true } });
    },
    forget,
    leave: () => {
      if (isNamed && state?.fromPage) navigate(-1);
      else if (isNamed) forget();
    },
  };
}
