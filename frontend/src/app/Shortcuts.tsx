import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useWindowEvent } from "@/shared/effects";
import { walkProblems } from "@/shared/problem-walk";
import { shortcutList, singleKeys } from "./single-keys";

const ShortcutsDialog = lazy(() => import("./ShortcutsDialog"));

const TOUCH = "(hover: none) and (pointer: coarse)";
const FIELDS = "input, select, textarea, [contenteditable]";
const QUANTITY = "[data-quantity]";
const CHOICE = "input[type=radio]";
const PROBLEMS: Readonly<Record<string, 1 | -1>> = { n: 1, p: -1 };
const LETTER = /^[a-df-z]$/;
const COVERS = "[role=dialog], [role=alertdialog], [role=menu]";
/** The second key counts for so long after `g`. */
const TOGETHER_MS = 1500;
const PLACES: Readonly<Record<string, string>> = {
  d: "/dashboard",
  o: "/order",
  i: "/invoice/0",
};

/**
 * The shortcuts of every page: what they lead to says so by its `data-shortcut`, a problem by `data-problem`. It asks
 * for `onGo` instead of the router, which would become a chunk of its own by it: 1 KB of the first load.
 */
export default function Shortcuts({ onGo }: { onGo: (path: string) => void }) {
  const [list, setList] = useState<"unused" | "open" | "closed">("unused");
  const wentAt = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => shortcutList.onShow(() => setList("open")), []);

  /** Does what a single key stands for; false if it is none of ours. */
  const answer = (key: string, at: number): boolean => {
    const place = at - wentAt.current < TOGETHER_MS ? PLACES[key] : undefined;
    wentAt.current = key === "g" ? at : Number.NEGATIVE_INFINITY;
    if (place) onGo(place);
    else if (key === "?") setList("open");
    else return focusProblem(key) || focusTarget(key);
    return true;
  };

  useWindowEvent("keydown", (event) => {
    if (isInUse(event)) return;
    if (event.ctrlKey) pressOrder(event);
    else if (isListening(event.key) && answer(event.key, event.timeStamp)) event.preventDefault();
  });

  return (
    <Suspense fallback={null}>
      {list !== "unused" && (
        <ShortcutsDialog open={list === "open"} onClose={() => setList("closed")} />
      )}
    </Suspense>
  );
}

/** Whether a key belongs to somebody else: to the browser, or to what lies over the page. */
function isInUse(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey || event.metaKey) return true;
  return document.querySelector(COVERS) !== null || window.matchMedia(TOUCH).matches;
}

/** Whether single keys are shortcuts now; letters are in a quantity too, which takes none of them but e, n and p in a choice. */
function isListening(key: string): boolean {
  const focused = document.activeElement;
  const takesKey =
    (LETTER.test(key) && focused?.matches(QUANTITY)) ||
    (key in PROBLEMS && focused?.matches(CHOICE));
  const isTyping = focused?.matches(FIELDS) && !takesKey;
  return !isTyping && singleKeys.areOn();
}

const visible = (element: HTMLElement) => element.checkVisibility();

/** Moves the focus to what a key names on this page; false if nothing does. */
function focusTarget(key: string): boolean {
  if (!/^[a-z]$/.test(key)) return false;
  const targets = [...document.querySelectorAll<HTMLElement>(`[data-shortcut="${key}"]`)];
  const target = targets.find(visible);
  target?.focus();
  return target !== undefined;
}

/** Sends the order by Ctrl+Enter, from a field of the basket too. */
function pressOrder(event: KeyboardEvent): void {
  if (event.key !== "Enter") return;
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('[data-shortcut="order"]')];
  const button = buttons.find((one) => visible(one) && !one.disabled);
  if (!button) return;
  event.preventDefault();
  // What is being typed is stored when its field is left.
  button.focus();
  button.click();
}

/** Moves the focus to the next problem of the page, or the one before, round and round; false for other keys. */
function focusProblem(key: string): boolean {
  const step = PROBLEMS[key];
  if (step === undefined) return false;
  if (walkProblems(step)) return true;
  const all = [...document.querySelectorAll<HTMLElement>("[data-problem]")].filter(visible);
  const inside = all.findIndex((one) => one.contains(document.activeElement));
  const next = (inside < 0 && step < 0 ? 0 : inside) + step;
  const problem = all[(next + all.length) % all.length];
  problem?.querySelector<HTMLElement>("input, button, a")?.focus();
  return true;
}
