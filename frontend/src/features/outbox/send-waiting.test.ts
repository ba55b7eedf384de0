import { QueryClient } from "@tanstack/react-query";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it, vi } from "vitest";
import { drafts } from "@/shared/drafts";
import { outbox, type SavedBasket } from "@/shared/outbox";
import { toasts } from "@/shared/ui/toasts";
import { answer, refuse, server } from "@/test/server";
import { sendWaiting } from "./send-waiting";

const BUYER = "buyer-1";
const MEMO = "/order/customer/memo/{invoice_code}";
const message = (id: string, text: string) =>
  ({ id, kind: "message", invoiceCode: "MHW-1", text }) as const;
const NAMED = {
  kind: "named",
  name: "Christmas",
  is_shared: 0,
  lines: [{ sku: "A", count: 10 }],
} as const satisfies SavedBasket;
const send = () => sendWaiting(BUYER, new QueryClient());

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

it("sends each once, under its own key, in the order in which it was written", async () => {
  const messages = answer("put", MEMO, { success: 1 });
  const requests = answer("post", "/order/customer/ship-memo/{invoice_code}", { success: 1 });
  await outbox.add(BUYER, message("key-1", "First"));
  await outbox.add(BUYER, message("key-2", "Second"));
  await outbox.add(BUYER, { ...message("key-3", "By sea"), kind: "shipping" });
  await outbox.add("somebody-else", message("key-4", "Not mine"));
  expect(await send()).toBe(true);
  const keys = [...messages, ...requests].map(({ headers }) => headers.get("Idempotency-Key"));
  expect(keys).toEqual(["key-1", "key-2", "key-3"]);
  expect(messages.map(({ body }) => body)).toEqual([
    { customer_memo: "First" },
    { customer_memo: "Second" },
  ]);
  expect(toasts.current()?.text).toBe("Sent.");
  await send();
  expect(messages).toHaveLength(2);
  expect(await outbox.list("somebody-else")).toHaveLength(1);
});

it("saves a named basket under the uuid that it got without a connection", async () => {
  const body = NAMED;
  const calls = answer("put", "/baskets/{basket}", { success: 1 } as never);
  await outbox.add(BUYER, {
    id: "basket-1",
    kind: "basket",
    body: { ...body, lines: [...body.lines] },
  });
  expect(await send()).toBe(true);
  expect(calls.map(({ params, body }) => [params.basket, body])).toEqual([["basket-1", body]]);
});

it("keeps what got no answer, or will be taken in a moment, and sends it again under the same key", async () => {
  await outbox.add(BUYER, message("key-1", "First"));
  server.use(http.put("*/api/order/customer/memo/:code", () => HttpResponse.error()));
  expect(await send()).toBe(false);
  const busy = refuse("put", MEMO, { status: 503, body: { code: "busy", message: "Later." } });
  expect(await send()).toBe(false);
  expect(await outbox.list(BUYER)).toHaveLength(1);
  const done = answer("put", MEMO, { success: 1 });
  expect(await send()).toBe(true);
  const keys = [...busy, ...done].map(({ headers }) => headers.get("Idempotency-Key"));
  expect(keys).toEqual(["key-1", "key-1"]);
});

it("gives a refused message back as a draft, beside what was typed since", async () => {
  await drafts.keep(BUYER, "message:MHW-1", "Typed since");
  await outbox.add(BUYER, message("key-1", "Too late"));
  refuse("put", MEMO, { status: 409, body: { code: "wrong_status", message: "It has shipped." } });
  expect(await send()).toBe(true);
  expect(await outbox.list(BUYER)).toEqual([]);
  expect((await drafts.read(BUYER, "message:MHW-1"))?.value).toBe("Typed since\nToo late");
  expect(toasts.current()?.text).toBe("Not sent on MHW-1, kept as a draft. It has shipped.");
});

it("renames and deletes named baskets; one that is gone is deleted already", async () => {
  const body = { name: "Easter", is_shared: 1 } as const;
  await outbox.add(BUYER, { id: "1", kind: "basket-name", basket: "one", body });
  await outbox.add(BUYER, { id: "2", kind: "basket-gone", basket: "other", name: "Old" });
  const named = answer("put", "/baskets/{basket}/name", { success: 1 });
  const gone = refuse("delete", "/baskets/{basket}", {
    status: 404,
    body: { code: "not_found", message: "Not found." },
  });
  expect(await send()).toBe(true);
  expect(named.map(({ params, body: sent }) => [params.basket, sent])).toEqual([["one", body]]);
  expect(gone).toHaveLength(1);
  expect(await outbox.list(BUYER)).toEqual([]);
  expect(toasts.current()?.text).toBe("Sent.");
});

it("keeps a basket whose name is taken among the former ones, and says so", async () => {
  await outbox.add(BUYER, { id: "basket-1", kind: "basket", body: NAMED });
  const kinds: unknown[] = [];
  server.use(
    http.put("*/api/baskets/:basket", async ({ request }) => {
      const { kind } = (await request.json()) as { kind: string };
      kinds.push(kind);
      const taken = { success: 0, code: "basket_name_taken", message: "Taken." };
      return kind === "named" ? HttpResponse.json(taken, { status: 409 }) : HttpResponse.json({});
    }),
  );
  expect(await send()).toBe(true);
  expect(kinds).toEqual(["named", "replaced"]);
  expect(await outbox.list(BUYER)).toEqual([]);
  expect(toasts.current()?.text).toBe(
    "“Christmas” could not be saved. Taken. It is kept among your former baskets.",
  );
});

it("sends nothing that has waited for more than seven days, and gives it back", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-01T08:00:00Z") });
  try {
    await outbox.add(BUYER, message("key-1", "Long ago"));
    vi.setSystemTime(new Date("2026-11-08T08:00:01Z"));
    await outbox.add(BUYER, message("key-2", "Just now"));
    const sent = answer("put", MEMO, { success: 1 });
    expect(await send()).toBe(true);
    expect(sent.map(({ body }) => body)).toEqual([{ customer_memo: "Just now" }]);
    expect((await drafts.read(BUYER, "message:MHW-1"))?.value).toBe("Long ago");
    expect(await outbox.list(BUYER)).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

it("goes on waiting where what was refused can be kept nowhere else", async () => {
  await outbox.add(BUYER, message("key-1", "Too late"));
  refuse("put", MEMO, { status: 409, body: { code: "wrong_status", message: "It has shipped." } });
  vi.spyOn(drafts, "putBack").mockResolvedValue(false);
  expect(await send()).toBe(false);
  expect(await outbox.list(BUYER)).toHaveLength(1);
});
