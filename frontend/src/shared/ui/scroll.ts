/**
 * As the `ref` of a list's current link: scrolls it to the middle when it becomes the current one. A list
 * under the pointer stays where it is: a link that moves while it is pressed would lose the click.
 */
export function centreInList(link: HTMLElement | null): void {
  const list = link?.closest("ul");
  if (!link || !list || list.matches(":active")) return;
  list.scrollLeft = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
}

/** What scrolls a list: itself, the nearest element around it that does, or the page. */
export function scrollerOf(list: HTMLElement | null): HTMLElement {
  for (let around = list; around; around = around.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(around).overflowY)) return around;
  }
  return document.documentElement;
}
