/** The audience: how many accounts a notice reaches, counted by the server. */
import { ask } from "../answers";
import { find, findAll, setText } from "../elements";
import { t } from "../texts";

/** Count the reach anew whenever the audience changes; `touched` is told of each change. */
export function startAudience(form: HTMLFormElement, touched: () => void) {
  const reach = find("[data-reach]", form);
  let asked = 0;
  const count = async () => {
    asked += 1;
    const turn = asked;
    const answer = await ask<{ text: string }>(`${form.dataset.reach}?${chosen(form)}`);
    if (answer && turn === asked) setText(reach, answer.text);
  };
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

function chosen(form: HTMLFormElement): URLSearchParams {
  const radio = form.querySelector<HTMLInputElement>("[name=audience]:checked");
  const kind = radio?.value ?? "everybody";
  const select = form.querySelector<HTMLSelectElement>(`select[name=${kind}]`);
  const ids = [...(select?.selectedOptions ?? [])].map((option) => option.value).join(",");
  return new URLSearchParams({ kind, ids });
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
