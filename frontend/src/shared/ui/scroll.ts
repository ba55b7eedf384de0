/** As the `ref` of a list's current link: scrolls it to the middle when it becomes the current one. */
export function centreInList(link: HTMLElement | null): void {
  const list = link?.closest("ul");
  if (link && list) list.scrollLeft = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
}
