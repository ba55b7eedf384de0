import { act, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { drafts, useDraft } from "./drafts";
import { localStore } from "./local-store";

const DAY_MS = 24 * 60 * 60 * 1000;

afterEach(() => {
  vi.useRealTimers();
});

async function open({ owner = "buyer-1", form = "message:A" } = {}) {
  const { result, unmount } = renderHook(() => useDraft({ owner, form, initial: "" }));
  await waitFor(() => expect(result.current.isReady).toBe(true));
  return { form: result, unmount };
}

async function leaveHalfDone() {
  const { form, unmount } = await open();
  act(() => form.current.update(() => "Half a"));
  await waitFor(() => expect(form.current.isKept).toBe(true));
  unmount();
}

it("brings back what was typed, to its buyer and its form alone", async () => {
  await leaveHalfDone();
  const { form } = await open();
  expect(form.current).toMatchObject({ value: "Half a", isKept: true });
  expect(form.current.restoredAt).toBeGreaterThan(0);
  for (const other of [{ owner: "buyer-2" }, { form: "message:B" }]) {
    expect((await open(other)).form.current.value).toBe("");
  }
});

it("keeps nothing of a form that was sent, or emptied by hand", async () => {
  for (const end of ["sent", "emptied"]) {
    await leaveHalfDone();
    const { form, unmount } = await open();
    act(() => (end === "sent" ? form.current.clear() : form.current.update(() => "")));
    expect(form.current).toMatchObject({ value: "", isKept: false });
    unmount();
    expect((await open()).form.current).toMatchObject({ value: "", restoredAt: undefined });
  }
});

it("forgets drafts after seven days, and nothing else", async () => {
  await leaveHalfDone();
  await localStore.set("buyer-1", "basket", ["edits"]);
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 7 * DAY_MS + 1);
  expect(await drafts.read("buyer-1", "message:A")).toBeNull();
  await waitFor(async () =>
    expect(await localStore.get("buyer-1", "draft:message:A")).toBeUndefined(),
  );
  expect(await localStore.get("buyer-1", "basket")).toEqual(["edits"]);
});

it("works in a browser that keeps nothing", async () => {
  vi.spyOn(localStore, "get").mockRejectedValue(new Error("denied"));
  vi.spyOn(localStore, "set").mockRejectedValue(new Error("denied"));
  const { form } = await open();
  act(() => form.current.update(() => "Half a"));
  await Promise.resolve();
  expect(form.current).toMatchObject({ value: "Half a", isKept: false });
});

it("opens a form whose draft is read late, and brings it back then", async () => {
  await leaveHalfDone();
  const { get } = localStore;
  let answer: () => void = () => undefined;
  const pause = new Promise<void>((resolve) => {
    answer = resolve;
  });
  vi.spyOn(localStore, "get").mockImplementation((...names) => pause.then(() => get(...names)));
  const { form } = await open();
  expect(form.current.value).toBe("");
  await act(async () => answer());
  await waitFor(() => expect(form.current.value).toBe("Half a"));
});
