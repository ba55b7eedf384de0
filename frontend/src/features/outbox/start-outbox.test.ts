import { QueryClient } from "@tanstack/react-query";
import { HttpResponse, http } from "msw";
import { expect, it, vi } from "vitest";
import { connection } from "@/shared/online";
import { outbox } from "@/shared/outbox";
import { answer, server } from "@/test/server";
import { probe, startOutbox } from "./start-outbox";

const message = (id: string) =>
  ({ id, kind: "message", invoiceCode: "MHW-1", text: `Text of ${id}` }) as const;

it("sends at once what is kept while the portal can be reached, also while it is sending", async () => {
  let answerFirst = () => undefined as unknown;
  const first = new Promise((done) => {
    answerFirst = () => done(undefined);
  });
  const sent = answer("put", "/order/customer/memo/{invoice_code}", async () => {
    await first;
    return { success: 1 };
  });
  const stop = startOutbox("buyer-1", new QueryClient());
  await outbox.add("buyer-1", message("one"));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  await outbox.add("buyer-1", message("two"));
  answerFirst();
  await vi.waitFor(async () => expect(await outbox.list("buyer-1")).toEqual([]));
  expect(sent.map(({ headers }) => headers.get("Idempotency-Key"))).toEqual(["one", "two"]);
  stop();
});

it("is offline from a call without an answer until the portal is there again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    let isThere = false;
    server.use(
      http.head("*/robots.txt", () => (isThere ? new HttpResponse() : HttpResponse.error())),
    );
    const told: boolean[] = [];
    const unsubscribe = connection.subscribe(() => told.push(connection.isOnline()));
    const doubted = probe();
    await vi.waitFor(() => expect(connection.isOnline()).toBe(false));
    isThere = true;
    await vi.advanceTimersByTimeAsync(3000);
    await doubted;
    expect(told).toEqual([false, true]);
    unsubscribe();
  } finally {
    vi.useRealTimers();
  }
});

it("is not offline when one call alone gets no answer", async () => {
  server.use(http.head("*/robots.txt", () => new HttpResponse()));
  await probe();
  expect(connection.isOnline()).toBe(true);
});
