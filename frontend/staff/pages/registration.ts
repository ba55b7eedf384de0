/** One registration: the focus starts on the decision, nothing typed is lost. */
import "./registration.css";
import { guardTyped, startAt } from "../elements";

startAt<HTMLFormElement>("#decide", (form) => {
  const fault = document.querySelector<HTMLAnchorElement>(".errornote a");
  const start = fault
    ? document.querySelector<HTMLElement>(fault.hash)
    : form.querySelector<HTMLInputElement>("[name=decision]:checked");
  start?.focus({ preventScroll: !fault });

  guardTyped(form);
});
