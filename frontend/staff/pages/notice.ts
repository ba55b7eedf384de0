/** The page of a notice: the editor over the plain text field, files by drop, the live reach, the preview. */
import "./notice.css";
import { startEditor } from "../editor/editor";
import { find, guardTyped } from "../elements";
import { startAudience } from "../notice/audience";
import { startFiles } from "../notice/files";
import { startPreview } from "../notice/preview";

const form = find<HTMLFormElement>("#notice");
form.classList.add("has-script");

const touched = guardTyped(form);
const showPreview = startPreview(form);
startAudience(form, touched);
if (document.getElementById("id_added")) startFiles(form, touched);
if (form.querySelector(".bar")) {
  await startEditor(form, () => {
    touched();
    showPreview();
  });
}
form.dataset.ready = "";
