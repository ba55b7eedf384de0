import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { answerAlert } from "@/test/render";
import { answer, hang, refuse } from "@/test/server";
import { open, openSignedIn, signIn } from "./testing";

beforeEach(() => {
  hang("get", "/order/{status_id}");
  hang("get", "/details/{invoice_code}");
});

const EXPIRED = "Your login information has expired. Please log in again.";
const PAGE =
  "/checkout/success/MHW-1/0?amount=10.35&paymentId=PAYID-1&token=EC-1&PayerID=PAYER12345678";
const BROUGHT = {
  invoice_code: "MHW-1",
  payment_type: "PAYPAL",
  payment_id: "PAYID-1",
  token: "EC-1",
  payer_id: "PAYER12345678",
  amount: "10.35",
};

it("confirms after the sign-in when the login was lost at PayPal", async () => {
  const confirmed = answer("post", "/order/paypal/success", { success: 1, status_id: 4 });
  const opened = open(PAGE);
  await signIn(opened.user);
  await waitFor(() => expect(opened.where()).toBe("/invoice/4?invoice_code=MHW-1"));
  expect(confirmed.map(({ body }) => body)).toEqual([BROUGHT]);
});

it("confirms after the sign-in when the login ends with the call itself", async () => {
  refuse("post", "/order/paypal/success", { status: 403, body: { message: EXPIRED } });
  const opened = openSignedIn(PAGE);
  await answerAlert(opened.user, EXPIRED);
  expect(opened.where()).toBe("/login");
  expect(screen.queryByRole("alertdialog")).toBeNull();
  const confirmed = answer("post", "/order/paypal/success", { success: 1, status_id: 4 });
  await signIn(opened.user);
  await waitFor(() => expect(opened.where()).toBe("/invoice/4?invoice_code=MHW-1"));
  expect(confirmed.map(({ body }) => body)).toEqual([BROUGHT]);
});

it("is a page for a deposit or a balance only", async () => {
  openSignedIn("/checkout/success/MHW-1/2?token=EC-1");
  expect(await screen.findByRole("heading", { name: "Page not found." })).toBeVisible();
});

it("tells the two returns apart whatever the case of the path", async () => {
  const cancelled = answer("post", "/order/paypal/failure", { success: 1 });
  hang("get", "/temp-orders");
  const { where } = openSignedIn("/Checkout/Failure/MHW-1/0?token=EC-1");
  await waitFor(() => expect(where()).toBe("/invoice/0"));
  expect(cancelled.map(({ body }) => body)).toEqual([{ invoice_code: "MHW-1", token: "EC-1" }]);
});
