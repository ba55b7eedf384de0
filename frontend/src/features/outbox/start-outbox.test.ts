import { QueryClient } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { outbox } from "@/shared/outbox";
import { answer } from "@/test/server";
import { startOutbox } from "./start-outbox";

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
