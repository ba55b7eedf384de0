/** The payment desk: the button carries count and sum, arrows walk the lines, orders are found while typing; cancelling an order. */
import "./desk.css";
import { type Cents, count, sum } from "@/domain/figures";
import { ask } from "../answers";
import { type Tick, Ticks } from "../drafts";
import { find, findAll, later, make, startAt } from "../elements";
import { amount, readCents } from "../figures";
import { t } from "../texts";

interface Claims {
  results: { code: string; text: string }[];
}

/** The button says how many lines are ticked on all pages, and their sum; the title of a statement says how many. */
function startBooking(button: HTMLButtonElement) {
  const form = button.form as HTMLFormElement;
  const boxes = findAll<HTMLInputElement>("input[type=checkbox][name=book]");
  const ticks = new Ticks(form.dataset.ticks ?? "");
  const show = () => {
    const amounts = ticks.amounts();
    const total = amount(sum(amounts.map((text) => readCents(text) ?? (0 as Cents))));
    const ticked = count(amounts.length);
    button.textContent =
      amounts.length === 1
        ? t("Book 1 ticked line, {total}", { total })
        : t("Book {ticked} ticked lines, {total}", { ticked, total });
    button.disabled = !amounts.length;
    for (const tag of findAll("[data-ticks-count]"))
      tag.textContent = amounts.length ? t("{ticked} ticked", { ticked }) : "";
    return t("{ticked} ticked, {total}", { ticked: amounts.length, total });
  };
  const follow = () => {
    ticks.follow(boxes);
    find("[data-ticked]").textContent = show();
  };
  for (const box of boxes) {
    box.addEventListener("change", () => {
      ticks.take(box);
      find("[data-ticked]").textContent = show();
    });
  }
  const all = document.getElementById("tick-ready");
  all?.addEventListener("click", () => {
    const ready: Tick[] = JSON.parse(find("#ready").textContent ?? "[]");
    for (const tick of ready) ticks.set(tick, true);
    follow();
  });
  if (all) all.hidden = false;
  form.addEventListener("submit", () => ticks.send(form, boxes));
  window.addEventListener("pageshow", show);
  ticks.follow(boxes);
  show();
}

/** Up and down walk the lines of a statement, Enter opens the match of the line. */
function walkWithKeys(table: HTMLTableElement) {
  table.addEventListener("keydown", (event) => {
    const field = event.target as HTMLInputElement;
    const row = field.closest("tr");
    const isChord = event.ctrlKey || event.altKey || event.metaKey;
    if (!row || isChord || field.type === "search") return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      const stops = findAll("tbody tr", table)
        .map((line) => line.querySelector<HTMLElement>("input[name=book], a, input"))
        .filter((stop) => stop !== null);
      const here = stops.findIndex((stop) => row.contains(stop));
      stops[Math.max(0, Math.min(stops.length - 1, here + by))]?.focus();
    } else if (event.key === "Enter" && field.name === "book") {
      event.preventDefault();
      row.querySelector<HTMLAnchorElement>("a.open-match")?.click();
    }
  });
}

/** Orders that ask for money, by code, company or amount; what is chosen is sent like what is typed. */
function suggestClaims(box: HTMLInputElement) {
  const findSoon = later(async () => {
    const term = box.value.trim();
    const { list } = box;
    if (!list || term.length < 2) return;
    if ([...list.options].some((option) => option.value === term)) return;
    // Without the list the words are sent as they are.
    const answer = await ask<Claims>(`${box.dataset.claims}?q=${encodeURIComponent(term)}`);
    if (!answer || box.value.trim() !== term) return;
    list.replaceChildren(
      ...answer.results.map(({ code, text }) =>
        make("option", { value: code, label: `${code}, ${text}` }),
      ),
    );
  }, 150);
  box.addEventListener("input", (event) => {
    const { inputType } = event as InputEvent;
    if (!inputType || inputType === "insertReplacementText") box.form?.requestSubmit();
    else findSoon();
  });
}

/** A split says at once what is missing; the server decides. */
function startSplit(line: HTMLElement) {
  const parts = findAll<HTMLInputElement>("input[data-part]");
  const received = document.querySelector<HTMLInputElement>("[name=received]");
  const show = () => {
    const amounts = parts.filter((part) => part.value.trim()).map((part) => readCents(part.value));
    const arrived = readCents(line.dataset.arrived ?? (received?.value || "0"));
    line.textContent = splitText(arrived, amounts);
  };
  for (const field of received ? [...parts, received] : parts)
    field.addEventListener("input", show);
  show();
}

function splitText(arrived: Cents | null, given: (Cents | null)[]): string {
  const readable = given.filter((part) => part !== null);
  if (arrived === null || !given.length || readable.length < given.length) return "";
  const rest = arrived - sum(readable);
  if (!rest) return t("The sum agrees.");
  const over = { amount: amount(Math.abs(rest)) };
  return rest > 0 ? t("{amount} left over", over) : t("{amount} too much", over);
}

/** The red button names the amount and follows the choice; the focus starts on keeping the order. */
function startCancel(form: HTMLFormElement) {
  const follow = () => {
    const terms = find<HTMLInputElement>("[name=by_terms]:checked", form);
    const { credit = "", wallet = "" } = terms.dataset;
    find("#cancel-button").textContent = t("Cancel the order, credit {credit}", { credit });
    find("[data-wallet-after]", form).textContent = wallet;
    for (const letter of findAll("[data-letter]", form))
      letter.hidden = letter.dataset.letter !== terms.value;
  };
  form.addEventListener("change", follow);
  const words = find<HTMLTextAreaElement>("[name=words]", form);
  words.addEventListener("input", () => {
    find("[data-letter-words]", form).textContent = words.value;
  });
  follow();
  if (!document.querySelector(".errors, .messagelist")) find("#keep").focus();
}

startAt("[data-book]", startBooking);
startAt("table.credits", walkWithKeys);
startAt("input[data-claims]", suggestClaims);
startAt("[data-split-sum]", startSplit);
startAt("form#cancel", startCancel);
