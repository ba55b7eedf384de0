/** The preview: what the server makes of the text; no other HTML is put into the page. */
import { post } from "../answers";
import { find, findAll, later } from "../elements";
import { t } from "../texts";

interface Preview {
  title: string;
  html: string;
}

/** Follow title, text and day; return what shows the text anew, after a short pause. */
export function startPreview(form: HTMLFormElement): () => void {
  const card = find(".preview");
  const title = find<HTMLInputElement>("#id_title");
  const content = find<HTMLTextAreaElement>("#id_content");
  let asked = 0;
  const show = async () => {
    asked += 1;
    const turn = asked;
    const fields = { title: title.value, content: content.value };
    const shown = await post<Preview>(form.dataset.preview ?? "", fields, form);
    if (!shown || turn !== asked) return;
    find("[data-html]", card).innerHTML = shown.html;
    for (const place of findAll("[data-title]", card))
      place.textContent = shown.title || t("Title");
  };
  const showSoon = later(show, 300);
  title.addEventListener("input", showSoon);
  content.addEventListener("input", showSoon);
  followDay(card);
  return showSoon;
}

function followDay(card: HTMLElement) {
  const day = find<HTMLInputElement>("#id_published_at_0");
  const atFirst = find("[data-day]", card).textContent;
  day.addEventListener("input", () => {
    const typed = day.value.trim();
    const text = /^\d{4}-\d\d-\d\d$/.test(typed) ? typed : atFirst;
    for (const place of findAll("[data-day]", card)) place.textContent = text;
  });
}
