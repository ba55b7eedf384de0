import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sendOnce } from "../enter";
import { saveMeanwhile } from "./saving";

const answers: Record<string, unknown>[] = [];
const sent: FormData[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  answers.length = sent.length = 0;
  document.body.innerHTML = `<span data-saved></span>
    <form id="sheet"><input name="revision" value="4"><input name="shipping_fee" value="">
    <button name="confirm">Confirm</button><button name="withdraw" value="7">Take back</button></form>`;
  vi.stubGlobal("fetch", async (_: string, { body }: { body: FormData }) => {
    sent.push(body);
    return Response.json(answers.shift() ?? {});
  });
});

afterEach(() => {
  vi.useRealTimers();
});

const form = () => document.querySelector("form") as HTMLFormElement;
const field = (name: string) => form().elements.namedItem(name) as HTMLInputElement;
const told = () => document.querySelector("[data-saved]")?.textContent;

test("what is typed is saved once after a pause, and the next save names the new revision", async () => {
  answers.push({ revision: 5, at: "10:42" }, { revision: 6, at: "10:43" });
  const keep = saveMeanwhile(form());
  for (const fee of ["8", "84"]) {
    field("shipping_fee").value = fee;
    keep();
  }
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent.map((body) => [body.get("save"), body.get("shipping_fee")])).toEqual([
    ["meanwhile", "84"],
  ]);
  expect([told(), field("revision").value]).toEqual(["Saved 10:42", "5"]);
  keep();
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent.at(-1)?.get("revision")).toBe("5");
});

test("why it is not saved stands on the page, and leaving it asks", async () => {
  answers.push({ fault: "Jun Lim changed this order at 10:42." });
  saveMeanwhile(form())();
  await vi.advanceTimersByTimeAsync(2000);
  expect(told()).toBe("Not saved yet: Jun Lim changed this order at 10:42.");
  const leaving = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);
});

test("a deed without the sheet, and one pressed while it is being saved, wait for the save", async () => {
  answers.push({ revision: 5, at: "10:42" });
  const submit = vi.spyOn(form(), "requestSubmit").mockImplementation(() => {});
  saveMeanwhile(form())();
  const button = field("withdraw") as unknown as HTMLButtonElement;
  const pressed = new SubmitEvent("submit", { submitter: button, cancelable: true });
  form().dispatchEvent(pressed);
  expect(pressed.defaultPrevented).toBe(true);
  await vi.advanceTimersByTimeAsync(10);
  expect(submit).toHaveBeenCalledWith(button);
  const again = new SubmitEvent("submit", { submitter: button, cancelable: true });
  form().dispatchEvent(again);
  expect([again.defaultPrevented, field("revision").value]).toEqual([false, "5"]);
});

test("what is pressed while the sheet is being saved is sent after the save, and once", async () => {
  answers.push({ revision: 5, at: "10:42" });
  sendOnce();
  document.body.innerHTML = `<span data-saved></span><main><form method="post">
    <input name="revision" value="4"><button>Send</button></form></main>`;
  const went: string[] = [];
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) went.push(field("revision").value);
    event.preventDefault(); // the page of a test cannot be left
  });
  saveMeanwhile(form())();
  vi.advanceTimersByTime(1500); // the save is under way
  const button = document.querySelector("button") as HTMLButtonElement;
  button.click();
  button.click();
  await vi.advanceTimersByTimeAsync(10);
  button.click();
  expect(went).toEqual(["5"]);
});
