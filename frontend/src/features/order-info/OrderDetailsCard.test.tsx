import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { orderDetails } from "@/test/builders";
import { answerAlert } from "@/test/render";
import { answer, hang, refuse } from "@/test/server";
import { openOrder, WRONG } from "./testing";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const request = () => screen.findByRole("textbox", { name: "Request For Shipping" });
const message = () => screen.findByRole("textbox", { name: "Message" });
const button = (name: string) => screen.getByRole("button", { name });

it("offers what the server allows and nothing else", async () => {
  openOrder(
    {
      status_id: 5,
      message: "Shipment Completed",
      allowed: {
        edit_address: false,
        edit_ship_memo: false,
        message: false,
        documents: true,
        packing_list: true,
        tracking: true,
      },
      tracking_number: "4471 0093 8825",
      shipping_url: "https://track.example/4471",
    },
    {
      fileList: [{ filename: "s.pdf", name: "Commercial invoice", url: "/files/MHW-1/s.pdf" }],
    },
  );
  const track = await screen.findByRole("link", { name: /^Track/ });
  expect(track).toHaveAttribute("href", "https://track.example/4471");
  expect(track).toHaveAttribute("target", "_blank");
  expect(track).toHaveAttribute("rel", expect.stringContaining("noopener"));
  expect(screen.getByText("4471 0093 8825")).toBeVisible();
  expect(screen.getByRole("button", { name: "Documents 1" })).toBeVisible();
  expect(await request()).toHaveAttribute("readonly");
  expect(screen.queryByRole("button", { name: "send" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Edit Address" })).toBeNull();
  expect(screen.queryByRole("textbox", { name: "Message" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Checkout" })).toBeNull();
});

it("has no documents or tracking before the server gives them", async () => {
  openOrder({ tracking_number: null });
  expect(await screen.findByRole("button", { name: "Edit Address" })).toBeVisible();
  expect(screen.queryByRole("button", { name: /Documents/ })).toBeNull();
  expect(screen.queryByText("Tracking number")).toBeNull();
  expect(screen.queryByText("Payment under review")).toBeNull();
});

it("adds the tag of a payment under review and keeps the status", async () => {
  openOrder({ status_id: 3, message: "Confirmed", payment_pending: true });
  expect(await screen.findByText("Payment under review")).toBeVisible();
  const band = within(screen.getByRole("region", { name: "MHW-1" }));
  expect(band.getAllByText("Confirmed").length).toBeGreaterThan(0);
});

it("refuses an empty request for shipping, then sends the text and keeps it", async () => {
  const { user } = openOrder({ ship_memo: "Rear dock." });
  const box = await request();
  expect(box).toHaveValue("Rear dock.");
  const calls = answer("post", "/order/customer/ship-memo/{invoice_code}", { success: 1 });
  await user.clear(box);
  await user.click(button("send"));
  await answerAlert(user, "Please enter a message.");
  expect(calls).toEqual([]);
  await user.type(box, "  After 15:00, please.  ");
  answer("get", "/details/{invoice_code}", orderDetails({ ship_memo: "After 15:00, please." }));
  await user.click(button("send"));
  await answerAlert(user, "Message registered successfully.");
  expect(calls.map(({ params, body }) => [params.invoice_code, body])).toEqual([
    ["MHW-1", { ship_memo: "After 15:00, please." }],
  ]);
  expect(await request()).toHaveValue("After 15:00, please.");
});

it("sends a message with Ctrl+Enter, empties the box and shows it as the latest", async () => {
  const { user } = openOrder({ customer_memo: "" });
  const calls = answer("put", "/order/customer/memo/{invoice_code}", { success: 1 });
  const box = await message();
  await user.type(box, "Two sets{Enter}of samples{Control>}{Enter}{/Control}");
  await answerAlert(user, "Message registered successfully.");
  expect(calls.map(({ body }) => body)).toEqual([{ customer_memo: "Two sets\nof samples" }]);
  await waitFor(() => expect(box).toHaveValue(""));
});

it("refuses an empty message", async () => {
  const { user } = openOrder({ customer_memo: "Earlier message." });
  expect(await screen.findByText("Earlier message.")).toBeVisible();
  await user.type(await message(), "   ");
  await user.click(button("Send"));
  await answerAlert(user, "Please enter a message.");
});

it("keeps the text when sending fails and says so", async () => {
  const { user } = openOrder({});
  refuse("put", "/order/customer/memo/{invoice_code}", { status: 502 });
  const box = await message();
  await user.type(box, "Hello{Meta>}{Enter}{/Meta}");
  await answerAlert(user, WRONG);
  expect(box).toHaveValue("Hello");
  expect(button("Send")).toBeEnabled();
});

it("takes no second click while a message is on its way", async () => {
  const { user } = openOrder({});
  const calls = hang("put", "/order/customer/memo/{invoice_code}");
  await user.type(await message(), "Hello");
  await user.click(button("Send"));
  await waitFor(() => expect(button("Send")).toBeDisabled());
  await user.type(await message(), "{Control>}{Enter}{/Control}");
  expect(calls).toHaveLength(1);
});

it("takes no message in the tab of shipped orders, whatever the order's status", async () => {
  const { user } = openOrder({ invoice_code: "MHW-1", status_id: 4, message: "Completed Payment" });
  await message();
  await user.click(screen.getByRole("link", { name: "Shipment Completed" }));
  await request();
  expect(screen.queryByRole("textbox", { name: "Message" })).toBeNull();
});
