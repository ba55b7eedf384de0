/** A new version of the policy: the editor over the plain text field. A version that is read needs its styles alone. */
import { startEditor } from "../editor/editor";
import { guardTyped, startAt } from "../elements";

startAt<HTMLFormElement>("#policy", async (form) => {
  await startEditor(form, guardTyped(form));
  form.dataset.ready = "";
});
