/** Imports: "Apply" opens when all guards are ticked; the bar of what is under way moves, then the page is shown anew. */
import "./import.css";
import { count } from "@/domain/figures";
import { ask } from "../answers";
import { drafts } from "../drafts";
import { find, findAll, startAt } from "../elements";
import { t } from "../texts";

interface Progress {
  state: string;
  read: number;
  expected: number | null;
}

function startGuards(button: HTMLButtonElement) {
  const boxes = findAll<HTMLInputElement>("input[name=guard]");
  if (!boxes.length) return;
  const isOpen = !button.disabled;
  const why = find("[data-why]");
  const ticked = find("[data-ticked]");
  const show = () => {
    const missing = boxes.filter((box) => !box.checked).length;
    button.disabled = !isOpen || missing > 0;
    const all = boxes.length;
    ticked.textContent = t("{ticked} of {all} ticked", { ticked: all - missing, all });
    if (isOpen) why.textContent = missing ? t("{missing} still to check.", { missing }) : "";
  };
  // Ticks outlive the look at a guard's rows.
  const key = `import-guards:${location.pathname}`;
  const ticks = drafts.read<string[]>(key) ?? [];
  for (const box of boxes) {
    box.checked = ticks.includes(box.value);
    box.addEventListener("change", () => {
      const names = boxes.filter((one) => one.checked).map((one) => one.value);
      drafts.keep(key, names);
      show();
    });
  }
  button.form?.addEventListener("submit", () => drafts.forget(key));
  window.addEventListener("pageshow", show);
  show();
}

function followProgress(card: HTMLElement) {
  const { progress: address = "", state } = card.dataset;
  const bar = card.querySelector("progress");
  const progress = card.querySelector("[data-read]");
  const look = async () => {
    const now = await ask<Progress>(address);
    if (now && now.state !== state) {
      location.reload();
      return;
    }
    if (now && progress) progress.textContent = count(now.read);
    if (now?.expected && bar) bar.value = Math.min(now.read, now.expected);
    setTimeout(look, 1000);
  };
  setTimeout(look, 1000);
}

startAt("[data-apply]", startGuards);
startAt("[data-progress]", followProgress);
