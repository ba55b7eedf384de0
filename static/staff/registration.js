/* One registration: the focus starts on the decision, J and K go to the next and the previous, nothing typed is lost. */
"use strict";
{
  const form = document.getElementById("decide");
  if (form) {
    const first = document.querySelector(".errornote a");
    const start = first ? document.querySelector(first.hash) : form.querySelector("[name=decision]:checked");
    start?.focus({ preventScroll: !first });

    /* "Put the template back" without a round trip. */
    for (const button of form.querySelectorAll("button[name=template]")) {
      const part = button.closest(".mail");
      const fields = part.querySelectorAll("[name^=subject_], [name^=body_]");
      if (document.querySelector(".errornote")) continue;
      button.addEventListener("click", (event) => {
        event.preventDefault();
        for (const field of fields) field.value = field.defaultValue;
        fields[fields.length - 1].focus();
      });
    }

    let sent = false;
    form.addEventListener("submit", () => { sent = true; });
    const written = () =>
      [...form.querySelectorAll("textarea, input[type=text]")].some((field) => field.value !== field.defaultValue);
    window.addEventListener("beforeunload", (event) => {
      if (!sent && written()) event.preventDefault();
    });
  }
}
