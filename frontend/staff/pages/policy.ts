/** A new version of the policy: the editor over the plain text field. A version that is read needs its styles alone. */
import { startEditor } from "../editor/editor";
import { askBeforeLeaving, find } from "../elements";

async function start(form: HTMLFormElement) {
  let changed = Boolean(document.querySelector(".errornote"));
  const touched = () => {
    changed = true;
  };
  form.addEventListener("submit", () => {
    changed = false;
  });
  form.addEventListener("input", touched);
  askBeforeLeaving(() => changed);
  await startEditor(form, touched);
  form.dataset.ready = "";
}

if (document.getElementById("policy")) await start(find("#policy"));
