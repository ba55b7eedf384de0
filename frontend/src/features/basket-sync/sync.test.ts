import { waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { basket, basketState, restoredBasket } from "@/domain/basket";
import { localStore } from "@/shared/local-store";
import { clearStorage, token } from "@/shared/token";
import { answer, type Received, refuse } from "@/test/server";
import { flushBasket, setAside, startBasketSync } from "./sync";

const BUYER = "buyer-1";
interface Edits {
  device: string;
  sequence: number;
  edits: { sku: string; count: number }[];
}

let stop: () => void = () => undefined;
beforeEach(() => {
  token.set("stored");
});
afterEach(async () => {
  stop();
  await localStore.remove(BUYER, "basket");
});

const start = () => {
  stop = startBasketSync(BUYER);
};
const stored = () => JSON.parse(localStorage.getItem("basket") ?? "null") as unknown;

function serverHas(lines: { sku: string; count: number; price: number; short: number }[]) {
  const now = { success: 1, revision: 7, edited_at: "2026-11-20T10:00:00Z" };
  answer("get", "/basket", { ...now, lines });
  return answer("post", "/basket/edits", ({ body }) => ({
    ...now,
    revision: 8,
    lines: [
      ...lines,
      ...(body as Edits).edits.map((edit) => ({ ...edit, price: 12.5, short: 0 })),
    ].filter(({ count }) => count > 0),
    refused: [],
  }));
}
const editsOf = (calls: Received[]) => calls.map(({ body }) => (body as Edits).edits);

it("sends what is in the browser, and puts what other devices chose beside it", async () => {
  basket.add("A", 10, 12.5);
  const calls = serverHas([{ sku: "B", count: 20, price: 4.5, short: 0 }]);
  start();
  await waitFor(() =>
    expect(stored()).toEqual([
      { sku: "A", count: 10 },
      { sku: "B", count: 20 },
    ]),
  );
  expect(editsOf(calls)).toEqual([[{ sku: "A", count: 10 }]]);
  expect(basket.chosenPrices()).toEqual({ A: 12.5, B: 4.5 });
  expect(restoredBasket.text()).toBeNull();
});

it("brings the basket back, says since when, and forgets that once it is dismissed", async () => {
  const unwatch = basket.subscribe(() => undefined);
  serverHas([{ sku: "B", count: 20, price: 4.5, short: 1 }]);
  start();
  await waitFor(() => expect(stored()).toEqual([{ sku: "B", count: 20 }]));
  const restored = JSON.parse(restoredBasket.text() ?? "null") as unknown;
  expect(restored).toEqual({ since: "2026-11-20T10:00:00Z", counts: { B: 20 }, short: ["B"] });
  restoredBasket.dismiss();
  expect(restoredBasket.text()).toBeNull();
  unwatch();
});

it("repeats a batch as it was after a lost answer, and sends what came since after it", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const lost = refuse("post", "/basket/edits", { status: 503 });
  basket.add("A", 10, 12.5);
  start();
  await waitFor(() => expect(lost).toHaveLength(1));
  basket.setCount("A", 30);
  const calls = serverHas([]);
  window.dispatchEvent(new Event("online"));
  await waitFor(() => expect(calls).toHaveLength(2));
  const [first, second] = calls.map(({ body }) => body as Edits);
  expect(first).toEqual({ ...(lost[0]?.body as Edits), revision: expect.any(Number) as number });
  expect([second?.sequence, second?.edits]).toEqual([2, [{ sku: "A", count: 30 }]]);
});

it("keeps what the server has not at a sign-out, without prices, for that buyer's next sign-in", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  refuse("post", "/basket/edits", { status: 503 });
  basket.add("A", 10, 12.5);
  start();
  await waitFor(() => expect(basketState.get()?.sent).toBeTruthy());
  basket.add("B", 20, 3);
  await flushBasket(BUYER, 50);
  stop();
  clearStorage();
  await setAside();
  expect(localStorage).toHaveLength(0);
  const batches = await localStore.get<Edits[]>(BUYER, "basket");
  expect(batches?.flatMap(({ edits }) => edits)).toEqual([
    { sku: "A", count: 10 },
    { sku: "B", count: 20 },
  ]);

  token.set("another");
  const calls = serverHas([]);
  start();
  await waitFor(() => expect(calls).toHaveLength(2));
  await waitFor(async () => expect(await localStore.get(BUYER, "basket")).toEqual([]));
  expect(editsOf(calls)).toEqual(batches?.map(({ edits }) => edits));
});

it("leaves another buyer's edits to that buyer", async () => {
  basket.add("A", 10, 12.5);
  basketState.begin("somebody-else");
  const calls = serverHas([]);
  start();
  await waitFor(() => expect(basketState.get()?.owner).toBe(BUYER));
  expect(basket.lines()).toEqual([]);
  expect(calls).toEqual([]);
  expect(await localStore.get<Edits[]>("somebody-else", "basket")).toHaveLength(1);
  await localStore.remove("somebody-else", "basket");
});

it("counts what somebody else has written under the name of the specification", () => {
  basketState.begin(BUYER);
  basket.add("A", 10, 12.5);
  localStorage.setItem("basket", JSON.stringify([{ sku: "C", count: 5 }]));
  expect(basket.lines()).toEqual([{ sku: "C", count: 5 }]);
  localStorage.setItem("basket", "nonsense");
  expect(basket.lines()).toEqual([{ sku: "A", count: 10 }]);
});

it("empties the basket by an order without telling the server to, but for what was edited since", () => {
  basketState.begin(BUYER);
  const state = basketState.get();
  if (!state) throw new Error("no state");
  const lines = [{ sku: "A", count: 10 }];
  basketState.set({ ...state, base: lines, lines, revision: 3, fresh: false });
  basket.add("B", 20, 3);
  basket.ordered();
  expect(stored()).toEqual([{ sku: "B", count: 20 }]);
  expect(basketState.get()?.base).toEqual([]);
});

it("does not fail where the browser has no room", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  basketState.begin(BUYER);
  basket.add("A", 10, 12.5);
  expect(basket.lines()).toEqual([{ sku: "A", count: 10 }]);
});
