import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { orderDetails } from "@/test/builders";
import { answer, refuse } from "@/test/server";
import type { Order } from "./queries";
import { openOrder, WRONG } from "./testing";

const CALL = "/order/withdraw/{invoice_code}";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

async function open(button: string, allowed: Partial<Order["allowed"]>) {
  const { user, where } = openOrder({ status_id: 1, message: "Received", allowed });
  await user.click(await screen.findByRole("button", { name: button }));
  return { user, where, dialog: within(await screen.findByRole("dialog", { name: button })) };
}

it("puts the products of an order that is changed back into the basket", async () => {
  const calls = answer("post", CALL, { success: 1, withdrawn: 1 });
  const { user, dialog, where } = await open("Change or withdraw", { withdraw: true });
  expect(dialog.getByText(/send us a message instead/)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Change its products" }));
  await waitFor(() => expect(where()).toBe("/order?again=MHW-1&panel=basket"));
  expect(calls.map(({ body }) => body)).toEqual([{ to_change: 1 }]);
});

it("withdraws an order for good and stays with it", async () => {
  const calls = answer("post", CALL, { success: 1, withdrawn: 1 });
  const { user, dialog, where } = await open("Change or withdraw", { withdraw: true });
  await user.click(dialog.getByRole("button", { name: "Withdraw" }));
  expect(await screen.findByText("Order withdrawn.")).toBeVisible();
  expect(calls.map(({ body }) => body)).toEqual([{ to_change: 0 }]);
  expect(where()).toContain("/invoice/1");
});

it("asks to cancel a paid order, and says so", async () => {
  answer("post", CALL, { success: 1, withdrawn: 0 });
  const { user, dialog } = await open("Ask to cancel", { ask_to_cancel: true });
  await user.click(dialog.getByRole("button", { name: "Ask to cancel" }));
  expect(await screen.findByText("Your request to cancel was sent.")).toBeVisible();
});

it("says how an order stands that staff began to prepare meanwhile", async () => {
  refuse("post", CALL, { status: 409, body: { code: "wrong_status", message: WRONG } });
  const { user, dialog } = await open("Change or withdraw", { withdraw: true });
  answer("get", "/details/{invoice_code}", orderDetails({ payment: "" }));
  await user.click(dialog.getByRole("button", { name: "Withdraw" }));
  expect(await screen.findByText(/It is now: Preparing\./)).toBeVisible();
});
