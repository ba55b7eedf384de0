/**
 * As the `ref` of a list's current link: scrolls it to the middle when it becomes the current one. A list
 * under the pointer stays where it is: a link that moves while it is pressed would lose the click.
 */
export function centreInList(link: HTMLElement | null): void {
  const list = link?.closest("ul");
  if (!link || !list || list.matches(":active")) return;
  list.scrollLeft = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
}
