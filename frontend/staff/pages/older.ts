/** A form that is older than the sign-in: its page is opened again with what was typed. */
import { find, findAll } from "../elements";
import { keepTyped } from "../typed";

const form = find<HTMLFormElement>("#typed");
const typed = findAll<HTMLTextAreaElement>("textarea", form);
for (const word of findAll(".scripted", form)) word.hidden = false;
find("#reopen", form).addEventListener("click", () => {
  if (!typed.length) return;
  keepTyped(
    form.dataset.page ?? "",
    typed.map(({ name, value }) => [name, value]),
  );
});
