import { beforeEach, expect, it } from "vitest";
import { keepDraft } from "./draft";

function open(hash = "") {
  history.replaceState(null, "", `/admin/orders/order/7/change/${hash}`);
  document.body.innerHTML = '<textarea data-draft="order-7"></textarea>';
  const text = document.querySelector("textarea") as HTMLTextAreaElement;
  keepDraft(text);
  return text;
}

beforeEach(() => sessionStorage.clear());

it("keeps what is typed until the page says that it was sent", () => {
  const text = open();
  text.value = "Dear Anna";
  text.dispatchEvent(new Event("input"));
  expect(open().value).toBe("Dear Anna");
  expect(open("#text").value).toBe("Dear Anna");
  expect(open("#messages").value).toBe("");
  expect(location.hash).toBe("");
  expect(open().value).toBe("");
});
