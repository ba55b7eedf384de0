import { beforeEach, expect, test } from "vitest";
import { drafts, forgetArrived, keepDraft } from "./drafts";

beforeEach(() => sessionStorage.clear());

test("what was sent is forgotten once a page says that it has arrived; what was not sent stays", () => {
  drafts.keep("packing-1", { sent: true });
  drafts.keep("packing-2", { sent: false });
  drafts.keep("packing-3", { sent: true });
  document.body.innerHTML = `<p data-arrived="packing-1"></p><p data-arrived="packing-2"></p>`;
  forgetArrived();
  expect([1, 2, 3].map((n) => drafts.read(`packing-${n}`) !== null)).toEqual([false, true, true]);
});

function open(hash = "") {
  history.replaceState(null, "", `/admin/orders/order/7/change/${hash}`);
  document.body.innerHTML = '<textarea data-draft="order-7"></textarea>';
  const text = document.querySelector("textarea") as HTMLTextAreaElement;
  keepDraft(text);
  return text;
}

test("keeps what is typed until the page says that it was sent", () => {
  const text = open();
  text.value = "Dear Anna";
  text.dispatchEvent(new Event("input"));
  expect(open().value).toBe("Dear Anna");
  expect(open("#text").value).toBe("Dear Anna");
  expect(open("#messages").value).toBe("");
  expect(location.hash).toBe("");
  expect(open().value).toBe("");
});
