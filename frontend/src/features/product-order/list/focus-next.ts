/** Before the buttons of a problem go: the focus moves to the next problem's, or to `otherwise`. */
export function focusNext(button: HTMLElement, otherwise: HTMLElement | null): void {
  const all = [
    ...(button.closest("[role=dialog]")?.querySelectorAll<HTMLElement>("[data-fix]") ?? []),
  ];
  const after = all.slice(all.indexOf(button) + 1);
  const next = after.find(({ dataset }) => dataset.fix !== button.dataset.fix);
  (next ?? otherwise)?.focus();
}
