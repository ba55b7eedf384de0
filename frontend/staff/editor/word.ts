/** What Word puts on the clipboard, in the markup that the editor reads. */

const LIST_ITEM = "p[data-word*='mso-list:' i]";
const MARK = "[data-word*='mso-list:ignore' i]";
const NUMBER = /^\W*(\d+|[a-z]{1,4})[.)]/i;

/** Make lists of Word's marked paragraphs, and headings of two levels of its six. */
export function fromWord(html: string): string {
  // Its styles say what is a list; as styles, the page's policy would refuse each of them.
  const unstyled = html.replace(/<[^>]+>/g, (tag) => tag.replace(/\sstyle=/gi, " data-word="));
  const page = new DOMParser().parseFromString(unstyled, "text/html");
  const top = page.querySelector("h1, p.MsoTitle") ? "h1, p.MsoTitle" : "h2";
  for (const heading of page.querySelectorAll("h1, h2, h3, h4, h5, h6, p.MsoTitle")) {
    const other = page.createElement(heading.matches(top) ? "h2" : "h3");
    other.append(...heading.childNodes);
    heading.replaceWith(other);
  }
  let lists: Element[] = []; // the open list of each level, the outermost first
  for (const item of page.querySelectorAll(LIST_ITEM)) {
    lists = placed(item, item.previousElementSibling === lists[0] ? lists : []);
  }
  return page.body.innerHTML;
}

/** Move an item into the list of its level, a new one where none is open; return the open lists. */
function placed(item: Element, lists: Element[]): Element[] {
  const page = item.ownerDocument;
  const mark = item.querySelector(MARK);
  const kind = NUMBER.test(mark?.textContent ?? "") ? "ol" : "ul";
  mark?.remove();
  const level = Number(/level(\d)/i.exec(item.getAttribute("data-word") ?? "")?.[1] ?? 1);
  const depth = Math.min(level, lists.length + 1);
  const outer = lists.slice(0, depth - 1);
  let list = lists[depth - 1];
  if (list?.localName !== kind) {
    list = page.createElement(kind);
    const parent = outer.at(-1)?.lastElementChild;
    if (parent) parent.append(list);
    else item.before(list);
  }
  const row = page.createElement("li");
  list.append(row);
  row.append(item);
  return [...outer, list];
}
