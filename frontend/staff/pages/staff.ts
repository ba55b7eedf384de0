/** Speed for every staff page; each of them works without it. */
import "./staff.css";
import "./pages.css";
import "./conversation.css";
import "./reports.css";
import { leaveSyllablesAlone } from "@/shared/composing";
import { forgetArrived, keepDraft } from "../drafts";
import { find, findAll, letterOf, startAt } from "../elements";
import { sendOnce, startEnter } from "../enter";
import { nameFigure } from "../figures";
import { t } from "../texts";
import { keepSent, keepTypedAt, reopenTyped, restoreTyped } from "../typed";

declare global {
  interface Window {
    /** Django's own scripts bring jQuery along on the pages that need it. */
    django?: { jQuery?: JQueryLike };
  }
}
interface JQueryLike {
  (ready: () => void): void;
  (selector: string): { on(name: string, action: () => void): void };
  (root: Document): { on(name: string, action: (event: { target: Element }) => void): void };
}

/** Single keys can be switched off, by each person in each browser (WCAG 2.1.4). */
const person = document.querySelector<HTMLElement>("#user-tools .who")?.dataset.person;
const place = `staff-single-keys:${person}`;
const hasSingleKeys = () => localStorage.getItem(place) !== "off";

function startKeySetting(setting: HTMLElement) {
  const tick = find<HTMLInputElement>("input", setting);
  tick.checked = hasSingleKeys();
  tick.addEventListener("change", () => {
    if (tick.checked) localStorage.removeItem(place);
    else localStorage.setItem(place, "off");
    find("[data-kept]", setting).textContent = tick.checked
      ? t("Single keys are on.")
      : t("Single keys are off.");
  });
  setting.hidden = false;
  if (location.hash === "#keys") tick.focus();
}

function startMenu(button: HTMLElement) {
  const show = (isOpen: boolean) => {
    document.body.classList.toggle("nav-open", isOpen);
    button.ariaExpanded = String(isOpen);
  };
  show(false);
  button.addEventListener("click", (event) => {
    event.preventDefault();
    show(!document.body.classList.contains("nav-open"));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") show(false);
  });
  document.addEventListener("click", ({ target }) => {
    const isOutside = target instanceof Element && !target.closest("#nav-sidebar, #menu-button");
    if (isOutside && document.body.classList.contains("nav-open")) show(false);
  });
}

/** Go to the next or previous record, or row of a list. */
function walk(step: number) {
  const turn = document.querySelector<HTMLElement>(
    `.page-tools a[rel=${step > 0 ? "next" : "prev"}]`,
  );
  if (turn) {
    turn.click();
    return;
  }
  const links = findAll("#result_list tbody tr th a, table.list.walk tbody th a");
  const here = links.indexOf(document.activeElement as HTMLElement);
  const last = links.length - 1;
  const start = step > 0 ? 0 : last;
  links[here < 0 ? start : Math.max(0, Math.min(last, here + step))]?.focus();
}

const TYPED_INTO = "input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable]";

const SINGLE_KEYS: Record<string, (event: KeyboardEvent) => void> = {
  "/": (event) => {
    event.preventDefault();
    document.getElementById("jump-box")?.focus();
  },
  j: () => walk(1),
  k: () => walk(-1),
};

/** A key in Hangul begins a syllable in the field too: figures have none, so it goes again. */
function keepSyllablesOut() {
  let before = "";
  const isFigure = (field: EventTarget | null): field is HTMLInputElement =>
    field instanceof HTMLInputElement && /^(numeric|decimal)$/.test(field.inputMode);
  document.addEventListener("compositionstart", ({ target }) => {
    if (isFigure(target)) before = target.value;
  });
  document.addEventListener("compositionend", ({ target }) => {
    if (!isFigure(target)) return;
    target.value = before;
    target.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

/** Autocompletes draw their own box, which needs the name of the field that it stands for. */
function nameAutocompletes() {
  for (const select of findAll<HTMLSelectElement>("select.admin-autocomplete")) {
    const label = select.labels[0]?.textContent?.trim().replace(/:$/, "");
    const name = label || select.getAttribute("aria-label");
    const box = select.parentElement?.querySelector(".select2-selection");
    if (!name || !box) continue;
    const parts = findAll(".select2-selection__rendered, .select2-search__field", box);
    for (const part of [box, ...parts]) part.ariaLabel = name;
  }
}

/** The choices that an autocomplete opens stand at the end of the page: they and their search need its name too. */
function nameChoices({ target }: { target: Element }) {
  const box = target.parentElement?.querySelector(".select2-selection");
  const list = document.querySelector("body > .select2-container--open");
  const name = box?.getAttribute("aria-label") ?? "";
  box?.setAttribute("aria-controls", `select2-${target.id}-results`);
  list?.setAttribute("role", "region");
  list?.setAttribute("aria-label", t("Choices, {name}", { name }));
  list
    ?.querySelector(".select2-search__field")
    ?.setAttribute("aria-label", t("Find, {name}", { name }));
}

leaveSyllablesAlone();
restoreTyped();
keepSent();
startAt("form#typed", reopenTyped);
forgetArrived();
startAt("[data-keeps-typed]", keepTypedAt);
startAt("textarea[data-draft]", keepDraft);
startAt(".said", (log) => log.scrollTo(0, log.scrollHeight));
startAt("[data-keys]", startKeySetting);
startAt("#menu-button", startMenu);
document.addEventListener("click", (event) => {
  for (const open of findAll<HTMLDetailsElement>("details.menu[open]")) {
    if (!open.contains(event.target as Node)) open.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  const isChord = event.ctrlKey || event.altKey || event.metaKey;
  const isTyping = event.target instanceof Element && event.target.closest(TYPED_INTO);
  if (!isChord && !isTyping && hasSingleKeys()) SINGLE_KEYS[letterOf(event)]?.(event);
});
keepSyllablesOut();
startEnter();
startAt("button[data-figure]", nameFigure);
window.django?.jQuery?.(nameAutocompletes);
window.django?.jQuery?.(document).on("select2:open", nameChoices);
document.addEventListener("formset:added", () => setTimeout(nameAutocompletes));
sendOnce();
