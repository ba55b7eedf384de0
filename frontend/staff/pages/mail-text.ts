/** The text of a mail: placeholders go where the cursor is, the preview follows what is typed. */
import { post } from "../answers";
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

let latest = 0;
const show = async () => {
  latest += 1;
  const turn = latest;
  const fields = { subject: subject.value, body: body.value };
  const preview = await post<Preview>(form.dataset.typed ?? "", fields, form);
  const page = frame.contentDocument?.documentElement;
  if (!preview || !page || turn !== latest) return;
  page.innerHTML = preview.html; // the server's own; the frame runs nothing
  find("#typed-faults").replaceChildren(
    ...preview.faults.map((fault) => make("p", { className: "field-error" }, fault)),
  );
};
const showSoon = later(show, 300);
form.addEventListener("input", showSoon);
frame.addEventListener("load", show, { once: true });
// Before it has loaded, the frame is under this page's policy, which takes no styles of a mail.
const loaded = frame.contentDocument;
if (loaded?.readyState === "complete" && loaded.URL !== "about:blank") void show();

guardTyped(form);
