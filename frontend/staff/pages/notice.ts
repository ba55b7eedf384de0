/** The page of a notice: the editor over the plain text field, files by drop, the live reach, the preview. */
import "./notice.css";
import { ask, asking, post } from "../answers";
import { startEditor } from "../editor/editor";
import { find, findAll, guardTyped, later, setText } from "../elements";
import { startFiles } from "../notice/files";
import { t } from "../texts";

/** Count the reach anew whenever the audience changes; `touched` is told of each change. */
function startAudience(form: HTMLFormElement, touched: () => void) {
  const reach = find("[data-reach]", form);
  const count = asking(
    () => {
      const typed = new FormData(form);
      const kind = String(typed.get("audience") ?? "everybody");
      const audience = new URLSearchParams({ kind, ids: typed.getAll(kind).join(",") });
      return ask<{ text: string }>(`${form.dataset.reach}?${audience}`);
    },
    ({ text }) => setText(reach, text),
  );
  for (const radio of findAll("[name=audience]", form)) radio.addEventListener("change", count);
  const jQuery = window.django?.jQuery;
  jQuery?.(() => {
    nameFields(form);
    jQuery(".audience select").on("change", () => {
      touched();
      setTimeout(() => nameFields(form)); // the chips are drawn anew
      count();
    });
  });
}

function nameFields(form: HTMLFormElement) {
  for (const select of findAll<HTMLSelectElement>(".audience select", form)) {
    const field = select.parentElement?.querySelector(".select2-search__field");
    field?.setAttribute(
      "aria-label",
      t("Add: {name}", { name: select.getAttribute("aria-label") ?? "" }),
    );
    field?.setAttribute("placeholder", t("Add…"));
  }
}

interface Preview {
  title: string;
  html: string;
}

/** Follow title, text and day; return what shows the text anew, after a short pause. */
function startPreview(form: HTMLFormElement): () => void {
  const card = find(".preview");
  const title = find<HTMLInputElement>("#id_title");
  const content = find<HTMLTextAreaElement>("#id_content");
  const setAll = (name: string, text: string | null) => {
    for (const place of findAll(`[data-${name}]`, card)) place.textContent = text;
  };
  const show = asking(
    () => {
      const fields = { title: title.value, content: content.value };
      return post<Preview>(form.dataset.preview ?? "", fields, form);
    },
    (preview) => {
      find("[data-html]", card).innerHTML = preview.html;
      setAll("title", preview.title || t("Title"));
    },
  );
  const showSoon = later(show, 300);
  title.addEventListener("input", showSoon);
  content.addEventListener("input", showSoon);
  const day = find<HTMLInputElement>("#id_published_at_0");
  const atFirst = find("[data-day]", card).textContent;
  day.addEventListener("input", () => {
    const value = day.value.trim();
    setAll("day", /^\d{4}-\d\d-\d\d$/.test(value) ? value : atFirst);
  });
  return showSoon;
}

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
