/** One registration: the focus starts on the decision, the template comes back by a button, nothing typed is lost. */
import "./registration.css";
import { find, findAll, guardTyped } from "../elements";

type Field = HTMLInputElement | HTMLTextAreaElement;

function startDecision(form: HTMLFormElement) {
  const fault = document.querySelector<HTMLAnchorElement>(".errornote a");
  const start = fault
    ? document.querySelector<HTMLElement>(fault.hash)
    : form.querySelector<HTMLInputElement>("[name=decision]:checked");
  start?.focus({ preventScroll: !fault });

  // "Restore template" without a round trip; after a refusal the server alone knows the template.
  if (!document.querySelector(".errornote")) {
    for (const button of findAll("button[name=template]", form)) putBackWith(button);
  }

  guardTyped(form);
}

function putBackWith(button: HTMLElement) {
  const mail = button.closest(".mail");
  if (!mail) return;
  const fields = findAll<Field>("[name^=subject_], [name^=body_]", mail);
  button.addEventListener("click", (event) => {
    event.preventDefault();
    for (const field of fields) field.value = field.defaultValue;
    fields.at(-1)?.focus();
  });
}

if (document.getElementById("decide")) startDecision(find("#decide"));
