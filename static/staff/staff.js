/* Speed for every staff page; each of them works without it. */
"use strict";
{
  const typing = (target) =>
    target instanceof Element &&
    target.closest("input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable]");

  /* Single keys can be switched off, by each person in each browser (WCAG 2.1.4). */
  const person = document.querySelector("#user-tools .who")?.dataset.person;
  const place = `staff-single-keys:${person}`;
  const singleKeys = () => localStorage.getItem(place) !== "off";
  const setting = document.querySelector("[data-keys]");
  if (setting) {
    const tick = setting.querySelector("input");
    tick.checked = singleKeys();
    tick.addEventListener("change", () => {
      if (tick.checked) localStorage.removeItem(place);
      else localStorage.setItem(place, "off");
      setting.querySelector("[data-kept]").textContent = tick.checked ? "Single keys are on." : "Single keys are off.";
    });
    setting.hidden = false;
    if (location.hash === "#keys") tick.focus();
  }

  const menu = document.getElementById("menu-button");
  if (menu) {
    const show = (open) => {
      document.body.classList.toggle("nav-open", open);
      menu.setAttribute("aria-expanded", String(open));
    };
    show(false);
    menu.addEventListener("click", (event) => {
      event.preventDefault();
      show(!document.body.classList.contains("nav-open"));
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") show(false);
    });
  }

  document.addEventListener("click", (event) => {
    for (const open of document.querySelectorAll("details.menu[open]")) {
      if (!open.contains(event.target)) open.open = false;
    }
  });

  const rows = () => [...document.querySelectorAll("#result_list tbody tr th a, table.list.walk tbody th a")];
  const walk = (step) => {
    const turn = document.querySelector(`.page-tools a[rel=${step > 0 ? "next" : "prev"}]`);
    if (turn) return turn.click();
    const links = rows();
    const here = links.indexOf(document.activeElement);
    const next = here === -1 ? (step > 0 ? 0 : links.length - 1) : here + step;
    links[Math.max(0, Math.min(links.length - 1, next))]?.focus();
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey && event.key === "Enter") {
      const buttons = [...document.querySelectorAll(".button.primary, .submit-row .default")];
      const primary = buttons.find((button) => button.checkVisibility());
      if (primary) {
        event.preventDefault();
        primary.click();
      }
      return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey || typing(event.target) || !singleKeys()) return;
    if (event.key === "/") {
      event.preventDefault();
      document.getElementById("jump-box")?.focus();
    } else if (event.key === "j") {
      walk(1);
    } else if (event.key === "k") {
      walk(-1);
    }
  });

  /* Autocompletes draw their own box, which needs the name of the field that it stands for. */
  const nameBoxes = () => {
    for (const select of document.querySelectorAll("select.admin-autocomplete")) {
      const name = select.labels?.[0]?.textContent.trim().replace(/:$/, "") || select.getAttribute("aria-label");
      const box = select.parentElement.querySelector(".select2-selection");
      if (!name || !box) continue;
      box.setAttribute("aria-label", name);
      box.querySelector(".select2-selection__rendered")?.setAttribute("aria-label", name);
      box.querySelector(".select2-search__field")?.setAttribute("aria-label", name);
    }
  };
  window.django?.jQuery?.(nameBoxes);
  document.addEventListener("formset:added", () => setTimeout(nameBoxes));

  /* Nothing is sent twice; a list may be sent again, because an export leaves it where it is. */
  for (const form of document.querySelectorAll("main form[method=post]:not(#changelist-form)")) {
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = "1";
    });
  }
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });
}
