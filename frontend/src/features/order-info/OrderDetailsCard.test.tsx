import { focusManager, onlineManager } from "@tanstack/react-query";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it, vi } from "vitest";
import { outbox } from "@/shared/outbox";
import { user as buildUser, orderDetails, orderInList, said } from "@/test/builders";
import { answerAlert } from "@/test/render";
import { answer, hang, refuse, server } from "@/test/server";
import { answerMessages, openOrder, WRONG, watchView } from "./testing";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const request = () => screen.findByRole("textbox", { name: "Request For Shipping" });
const message = () => screen.findByRole("textbox", { name: "Message" });
const button = (name: string) => screen.getByRole("button", { name });

const PAPER = {
  name: "Commercial invoice",
  url: "/files/MHW-1/s.pdf",
  kind: "commercial" as const,
  invoice_code: "MHW-1",
  po_number: "",
  amount: null,
};

it("offers what the server allows and nothing else; the conversation stays", async () => {
  const { user } = openOrder(
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
      carrier: "UPS",
      tracking_number: "4471 0093 8825",
      shipping_url: "https://track.example/4471",
    },
    {
      fileList: [{ filename: "s.pdf", name: "Commercial invoice", url: "/files/MHW-1/s.pdf" }],
    },
  );
  answerMessages([said("Thank you")]);
  expect(await screen.findByText("Thank you")).toBeVisible();
  const track = await screen.findByRole("link", { name: /^Track/ });
  expect(track).toHaveAttribute("href", "https://track.example/4471");
  expect(track).toHaveAttribute("target", "_blank");
  expect(track).toHaveAttribute("rel", expect.stringContaining("noopener"));
  expect(screen.getByText(/^UPS 4471 0093 8825/)).toBeVisible();
  expect(screen.queryByRole("textbox", { name: "Request For Shipping" })).toBeNull();
  expect(screen.queryByRole("button", { name: "send" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Edit Address" })).toBeNull();
  expect(screen.queryByRole("textbox", { name: "Message" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Checkout" })).toBeNull();
  const papers = [{ ...PAPER, on: "2026-11-05" }];
  answer("get", "/account/documents", { success: 1, documents: papers, next: null });
  await user.click(screen.getByRole("button", { name: "Documents" }));
  const paper = await screen.findByRole("menuitem", { name: /^Commercial invoice/ });
  expect(paper).toHaveAttribute("href", "/files/MHW-1/s.pdf");
  expect(await within(paper).findByText("5 Nov 2026")).toBeVisible();
});

it("shows a request for shipping that was made, although none can be written any more", async () => {
  openOrder({ status_id: 4, ship_memo: "Rear dock.", allowed: { edit_ship_memo: false } });
  expect(await request()).toHaveAttribute("readonly");
  expect(await request()).toHaveValue("Rear dock.");
});

it("has no documents or tracking before the server gives them", async () => {
  openOrder({ tracking_number: null });
  expect(await screen.findByRole("button", { name: "Edit Address" })).toBeVisible();
  expect(screen.queryByRole("button", { name: /Documents/ })).toBeNull();
  expect(screen.queryByText("Tracking number")).toBeNull();
  expect(screen.queryByText("Payment under review")).toBeNull();
});

it("refuses an empty request for shipping, then sends the text and keeps it", async () => {
  const { user } = openOrder({ ship_memo: "Rear dock." });
  const box = await request();
  expect(box).toHaveValue("Rear dock.");
  const calls = answer("post", "/order/customer/ship-memo/{invoice_code}", { success: 1 });
  expect(button("send")).toBeDisabled();
  await user.type(box, " {Control>}{Enter}{/Control}");
  expect(calls).toEqual([]);
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
  await waitFor(() => expect(button("send")).toBeDisabled());
});

it("takes the buyer's own number and shows it at once", async () => {
  const { user } = openOrder({});
  const calls = answer("put", "/order/po-number/{invoice_code}", { success: 1 });
  await user.click(await screen.findByRole("button", { name: "Add PO number" }));
  const dialog = within(await screen.findByRole("dialog", { name: "PO number" }));
  await user.type(dialog.getByLabelText("PO number"), " 4500131 ");
  act(() => onlineManager.setOnline(false));
  expect(dialog.getByText("Saving needs a connection. The form is kept.")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
  act(() => onlineManager.setOnline(true));
  answer("get", "/details/{invoice_code}", orderDetails({ po_number: "4500131" }));
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByRole("button", { name: "Change PO number" })).toBeVisible();
  expect(screen.getByText("4500131")).toBeVisible();
  expect(calls.map(({ body }) => body)).toEqual([{ po_number: "4500131" }]);
});

it("sends a message with Ctrl+Enter and empties the box", async () => {
  const { user } = openOrder({ customer_memo: "" });
  const calls = answer("put", "/order/customer/memo/{invoice_code}", { success: 1 });
  const box = await message();
  await user.type(box, "Two sets{Enter}of samples{Control>}{Enter}{/Control}");
  await answerAlert(user, "Message registered successfully.");
  expect(calls.map(({ body }) => body)).toEqual([{ customer_memo: "Two sets\nof samples" }]);
  await waitFor(() => expect(box).toHaveValue(""));
});

it("loads an order anew that somebody else has cancelled, says so, and keeps what was typed", async () => {
  const { user } = openOrder({
    message: "Received",
    status_id: 1,
    payment: "Waiting for your wire",
  });
  await user.type(await message(), "Where is");
  const cancelled = { status_id: 0, message: "Cancelled", payment: "" as const };
  const orderList = [orderInList("MHW-1", cancelled)];
  const found = { success: 1, orderList, has_next: false, next: null } as const;
  answer("get", "/order/{status_id}/{invoice_code}", found);
  const allowed = { message: false };
  answer("get", "/details/{invoice_code}", orderDetails({ ...cancelled, allowed }));
  act(() => focusManager.setFocused(false));
  act(() => focusManager.setFocused(true));
  const said =
    "This order has changed since you opened it: it was Received (Waiting for your wire).";
  expect(await screen.findByText(said)).toBeVisible();
  expect(screen.getByText("Cancelled", { selector: "[data-tone]" })).toBeVisible();
  expect(await message()).toHaveValue("Where is");
  expect(await message()).toHaveAttribute("readonly");
  expect(screen.getByText("Not sent: this order no longer accepts messages")).toBeVisible();
  focusManager.setFocused(undefined);
});

it("shows the conversation, the newest last, and asks for earlier messages", async () => {
  const { user } = openOrder({});
  answer("get", "/order/customer/messages/{invoice_code}", ({ url }) =>
    url.searchParams.get("before") === "5"
      ? { success: 1, messages: [said("Hello", { message_id: 4 })], unread: null, next: null }
      : {
          success: 1,
          messages: [
            said("When?", { message_id: 5, name: "Piotr", is_own: false }),
            said("On Friday.", { message_id: 6, kind: "answer", name: "Mina", is_own: false }),
          ],
          unread: null,
          next: "5",
        },
  );
  const log = within(await screen.findByRole("log", { name: "Conversation" }));
  const texts = () => log.getAllByText(/Hello|When|Friday/).map((text) => text.textContent);
  expect(texts()).toEqual(["When?", "On Friday."]);
  expect(log.getByText(/^Mina/)).toBeVisible();
  await user.click(log.getByRole("button", { name: "Earlier messages" }));
  await waitFor(() => expect(texts()).toEqual(["Hello", "When?", "On Friday."]));
  expect(log.getByText(/^You/)).toBeVisible();
});

it("tells that a new answer is read once it comes into view, and not what fails of it", async () => {
  const lookAt = watchView();
  const told = refuse("post", "/order/customer/read/{invoice_code}", { status: 503 });
  openOrder({});
  answerMessages([said("On Friday.", { message_id: 6, kind: "answer", is_own: false })], 6);
  expect(await screen.findByText("On Friday.")).toBeVisible();
  lookAt(false);
  expect(told).toHaveLength(0);
  lookAt(true);
  await waitFor(() => expect(told.map(({ body }) => body)).toEqual([{ message_id: 6 }]));
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("keeps a message that is not sent yet", async () => {
  const { user } = openOrder({});
  await user.type(await message(), "Half a");
  expect(await screen.findByText("Saved as a draft until you send it")).toBeVisible();
  cleanup();
  openOrder({});
  expect(await screen.findByText(/^As you left it on/)).toBeVisible();
  expect(await message()).toHaveValue("Half a");
});

it("keeps a message that is sent without a connection, and a load that fails offers Try again", async () => {
  const { user } = openOrder({});
  await message();
  onlineManager.setOnline(false);
  await user.type(await message(), "Hello{Control>}{Enter}{/Control}");
  expect(await screen.findByText("Will be sent")).toBeVisible();
  expect(screen.getByText("You are offline. This will be sent when you are back.")).toBeVisible();
  expect(await message()).toHaveValue("");
  const [waiting] = await outbox.list(buildUser().uuid);
  expect(waiting).toMatchObject({ kind: "message", invoiceCode: "MHW-1", text: "Hello" });

  cleanup();
  openOrder({});
  refuse("get", "/details/{invoice_code}", { status: 502 });
  expect(await screen.findAllByRole("button", { name: "Try again" })).not.toHaveLength(0);
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("says without a connection how old it is, and why nothing can be edited or paid", async () => {
  openOrder({ allowed: { checkout: true } });
  expect(await screen.findByRole("button", { name: "Edit Address" })).toBeEnabled();
  expect(screen.queryByText(/^As of/)).toBeNull();
  act(() => onlineManager.setOnline(false));
  expect(button("Edit Address")).toBeDisabled();
  expect(screen.getByText("Editing needs a connection.")).toBeVisible();
  expect(button("Checkout")).toBeDisabled();
  expect(screen.getAllByText("Paying needs a connection.")[0]).toBeVisible();
  expect(screen.getAllByText(/^As of \d\d:\d\d$/)[0]).toBeVisible();
});

it("keeps the text when sending fails and says so", async () => {
  const { user } = openOrder({});
  refuse("put", "/order/customer/memo/{invoice_code}", { status: 500 });
  const box = await message();
  await user.type(box, "Hello{Meta>}{Enter}{/Meta}");
  await answerAlert(user, WRONG);
  expect(box).toHaveValue("Hello");
  expect(button("Send")).toBeEnabled();
});

it.each([
  ["no answer", () => HttpResponse.error()],
  ["a proxy's word", () => new HttpResponse("<h1>Bad gateway</h1>", { status: 502 })],
])("keeps a message to send it later where there is %s", async (_, respond) => {
  const { user } = openOrder({});
  server.use(http.put("*/api/order/customer/memo/:code", respond));
  await user.type(await message(), "Hello{Control>}{Enter}{/Control}");
  expect(await screen.findByText("Will be sent")).toBeVisible();
  expect(await message()).toHaveValue("");
  expect(screen.queryByRole("alertdialog")).toBeNull();
  expect(await outbox.list(buildUser().uuid)).toMatchObject([{ kind: "message", text: "Hello" }]);
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
  await waitFor(() => expect(screen.queryByRole("textbox", { name: "Message" })).toBeNull());
});
