import { drafts } from "./drafts";

/** A text that is written over a while: kept in this tab until it is sent. */
const SENT = "#messages";

/** Put back what was typed into a text with `data-draft`, and keep what is typed from now on. */
export function keepDraft(text: HTMLTextAreaElement) {
  const place = `draft:${text.dataset.draft}`;
  if (location.hash === SENT) {
    drafts.forget(place);
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  text.value ||= drafts.read<string>(place) ?? "";
  text.addEventListener("input", () => {
    if (text.value) drafts.keep(place, text.value);
    else drafts.forget(place);
  });
}
