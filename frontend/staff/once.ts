/** Nothing is sent twice; a list may be sent again, because an export leaves it where it is. */

const FORMS = "main form[method=post]:not(#changelist-form)";

/** Follow every form of the page, after its own scripts: what they hold back, to save it first, is not sent yet. */
export function sendOnce() {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || !form.matches(FORMS)) return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "1";
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll<HTMLFormElement>("form[data-sent]"))
      delete form.dataset.sent;
  });
}
