/** One registration: the focus starts on the decision, the template comes back by a button, nothing typed is lost. */
import "./registration.css";
import { findAll, guardTyped, startAt } from "../elements";

startAt<HTMLFormElement>("#decide", (form) => {
  const fault = document.querySelector<HTMLAnchorElement>(".errornote a");
  const start = fault
    ? document.querySelector<HTMLElement>(fault.hash)
    : form.querySelector<HTMLInputElement>("[name=decision]:checked");
  start?.focus({ preventScroll: !fault });

  // "Restore template" without a round trip; after a refusal the server alone knows the template.
  if (!document.querySelector(".errornote"))
    startAt<HTMLElement>("button[name=template]", (button) => {
      const fields = findAll<HTMLInputElement | HTMLTextAreaElement>(
        "[name^=subject_], [name^=body_]",
        button.closest(".mail") ?? form,
      );
      button.addEventListener("click", (event) => {
        event.preventDefault();
        for (const field of fields) field.value = field.defaultValue;
        fields.at(-1)?.focus();
      });
    });

  guardTyped(form);
});
