/** The text of a mail: placeholders go where the cursor is, the preview follows what is typed. */
import { asking, post } from "../answers";
import { find, guardTyped, later, make, startAt } from "../elements";

interface Preview {
  html: string;
  faults: string[];
}

const form = find<HTMLFormElement>("#mail-text");
const subject = find<HTMLInputElement>("#id_subject");
const body = find<HTMLTextAreaElement>("#id_body");
const frame = find<HTMLIFrameElement>("#shown-mail");

let last: typeof subject | typeof body = body;
for (const field of [subject, body]) {
  field.addEventListener("focus", () => {
    last = field;
  });
}
startAt<HTMLElement>("[data-insert]", (button) => {
  button.addEventListener("click", () => {
    last.focus();
    const [from, to] = [last.selectionStart ?? 0, last.selectionEnd ?? 0];
    last.setRangeText(button.dataset.insert ?? "", from, to, "end");
    last.dispatchEvent(new Event("input", { bubbles: true }));
  });
});

const show = asking(
  () => {
    const fields = { subject: subject.value, body: body.value };
    return post<Preview>(form.dataset.typed ?? "", fields, form);
  },
  ({ html, faults }) => {
    const page = frame.contentDocument?.documentElement;
    if (page) page.innerHTML = html; // the server's own; the frame runs nothing
    find("#typed-faults").replaceChildren(
      ...faults.map((fault) => make("p", { className: "field-error" }, fault)),
    );
  },
);
form.addEventListener("input", later(show, 300));
frame.addEventListener("load", show, { once: true });
// Before it has loaded, the frame is under this page's policy, which takes no styles of a mail.
const loaded = frame.contentDocument;
if (loaded?.readyState === "complete" && loaded.URL !== "about:blank") void show();

guardTyped(form);
