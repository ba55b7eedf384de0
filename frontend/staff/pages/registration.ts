/** One registration: the focus starts on the decision, the template comes back by a button, nothing typed is lost. */
import "./registration.css";
import { find, findAll, guardTyped, startAt } from "../elements";

function startDecision(form: HTMLFormElement) {
  const fault = document.querySelector<HTMLAnchorElement>(".errornote a");
  const start = fault
    ? document.querySelector<HTMLElement>(fault.hash)
    : form.querySelector<HTMLInputElement>("[name=decision]:checked");
  start?.focus({ preventScroll: !fault });

  // "Restore template" without a round trip; after a refusal the server alone knows the template.
  if (!document.querySelector(".errornote"))
    startAt(".mail:has(button[name=template])", putBackWith);

  guardTyped(form);
}

function putBackWith(mail: HTMLElement) {
  const fields = findAll<HTMLInputElement | HTMLTextAreaElement>(
    "[name^=subject_], [name^=body_]",
    mail,
  );
  find("button[name=template]", mail).addEventListener("click", (event) => {
    event.preventDefault();
    for (const field of fields) field.value = field.defaultValue;
    fields.at(-1)?.focus();
  });
}

startAt("#decide", startDecision);
