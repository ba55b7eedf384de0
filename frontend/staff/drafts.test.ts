import { expect, test } from "vitest";
import { drafts, forgetArrived } from "./drafts";

test("what was sent is forgotten once a page says that it has arrived; what was not sent stays", () => {
  drafts.keep("packing-1", { sent: true });
  drafts.keep("packing-2", { sent: false });
  drafts.keep("packing-3", { sent: true });
  document.body.innerHTML = `<p data-arrived="packing-1"></p><p data-arrived="packing-2"></p>`;
  forgetArrived();
  expect([1, 2, 3].map((n) => drafts.read(`packing-${n}`) !== null)).toEqual([false, true, true]);
});
