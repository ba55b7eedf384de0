/** A new version of the policy: the editor over the plain text field. A version that is read needs its styles alone. */
import { startEditor } from "../editor/editor";
import { find, guardTyped } from "../elements";

if (document.getElementById("policy")) {
  const form = find<HTMLFormElement>("#policy");
  await startEditor(form, guardTyped(form));
  form.dataset.ready = "";
}
