import { HttpResponse, http } from "msw";
import { expect, it, vi } from "vitest";
import { server } from "@/test/server";
import { probe } from "./connectivity";
import { connection } from "./online";

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
