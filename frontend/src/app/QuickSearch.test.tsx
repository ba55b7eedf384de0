import { screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { user as buyer } from "@/test/builders";
import { answerAlert, renderScreen } from "@/test/render";
import { answer, refuse } from "@/test/server";
import { Header } from "./Header";

const CALL = "/dashboard/quick/{uuid}/{invoice_number}" as const;
const open = () => renderScreen(<Header user={buyer()} />, { at: "/dashboard" });
const box = () => screen.getByRole("searchbox", { name: "Invoice Number" });

it.each(["", "   "])("asks for a number instead of calling with %j", async (typed) => {
  const { user } = open();
  await user.type(box(), `${typed}{Enter}`);
  await answerAlert(user, "Please enter your Invoice Number.");
  await waitFor(() => expect(box()).toHaveFocus());
});

it("goes to the order that was found", async () => {
  const calls = answer("get", CALL, { success: 1, invoice_code: "MHW-1" });
  const { user, where } = open();
  expect(box()).toHaveAttribute("placeholder", "Invoice Number");
  await user.type(box(), " mhw-1 {Enter}");
  await waitFor(() => expect(where()).toBe("/invoice/0?invoice_code=MHW-1"));
  expect(calls[0]?.params).toEqual({ uuid: buyer().uuid, invoice_number: "mhw-1" });
});

it.each([
  ["-1", () => answer("get", CALL, { success: -1 })],
  [
    "404",
    () => refuse("get", CALL, { status: 404, body: { code: "not_found", message: "Not found." } }),
  ],
])("says that a number does not exist (%s)", async (_, respond) => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  respond();
  const { user, where } = open();
  await user.type(box(), "nope{Enter}");
  await answerAlert(user, "Invoice Number does not exist.");
  expect(where()).toBe("/dashboard");
});

it("says beside itself that the call failed, without an alert", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  refuse("get", CALL, { status: 500, body: { code: "error", message: "x" } });
  const { user } = open();
  await user.type(box(), "MHW-1{Enter}");
  expect(await screen.findByText("That did not work. Please try again.")).toBeVisible();
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("takes the focus on / when no field has it", async () => {
  const { user } = open();
  await user.keyboard("/");
  await waitFor(() => expect(box()).toHaveFocus());
  expect(box()).toHaveValue("");
  await user.keyboard("a/b");
  expect(box()).toHaveValue("a/b");
});
