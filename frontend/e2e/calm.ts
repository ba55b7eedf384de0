import type { Locator, Page } from "@playwright/test";

const CONTROLS = [
  "a[href], button:not([role=option]), input:not([type=radio]), select, textarea, [role=switch]",
  // One question with its answers is one control, as a select is.
  "[role=listbox], fieldset:has(> label > [type=radio])",
].join();

/**
 * Links, buttons, fields and switches that a visitor sees at first look, by what they are called:
 * visible, enabled, at least half of each in the viewport and in whatever scrolls around it.
 * Skip links show only with the focus.
 */
export async function controlsInSight(page: Page): Promise<string[]> {
  const inSight = await sightOf(page.locator(CONTROLS), 0.5);
  return inSight.filter(({ isEnabled }) => isEnabled).map(({ name }) => name);
}

/** How many of `rows` stand in sight whole, or nearly. */
export async function rowsInSight(rows: Locator): Promise<number> {
  return (await sightOf(rows, 0.9)).length;
}

interface Seen {
  name: string;
  isEnabled: boolean;
}

/** What of `elements` is visible and shows at least `share` of itself. */
async function sightOf(elements: Locator, share: number): Promise<Seen[]> {
  return elements.evaluateAll(async (nodes, least) => {
    const visible = nodes.filter((node) => {
      const { width, height } = node.getBoundingClientRect();
      const isShown = node.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
      return isShown && width > 1 && height > 1;
    });
    if (visible.length === 0) return [];
    const entries = await new Promise<IntersectionObserverEntry[]>((resolve) => {
      const observer = new IntersectionObserver((seen) => resolve(seen));
      for (const node of visible) observer.observe(node);
    });
    // What another element covers, as a bar does, is not in sight.
    const isOnTop = ({
      target,
      intersectionRect: { x, y, width, height },
    }: (typeof entries)[0]) => {
      const top = document.elementFromPoint(x + width / 2, y + height / 2);
      const label = target.closest("label");
      return !top || target.contains(top) || top.contains(target) || label?.contains(top) === true;
    };
    return entries
      .filter((entry) => entry.intersectionRatio >= least && isOnTop(entry))
      .map(({ target }) => ({
        name:
          target.getAttribute("aria-label") ??
          (target as HTMLInputElement).labels?.[0]?.textContent ??
          target.textContent.slice(0, 60),
        isEnabled: !target.matches(":disabled, [aria-disabled=true], [inert] *"),
      }));
  }, share);
}
