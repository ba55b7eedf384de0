import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { orderDetails, SHIP } from "@/test/builders";
import { answerAlert } from "@/test/render";
import { answer, refuse } from "@/test/server";
import { openOrder, WRONG } from "./testing";

const QUESTION = "Do you want to change the shipping address?";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  answer("post", "/order/address", {
    success: 1,
    info: {
      addressInfo: SHIP,
      countryList: [
        { address_id: 1, content: "Poland" },
        { address_id: 2, content: "Chile" },
        { address_id: 3, content: "Monaco" },
      ],
      stateList: [
        { address_id: 11, content: "Mazowieckie" },
        { address_id: 12, content: "Pomorskie" },
      ],
    },
  });
  answer("post", "/register/find-state", ({ body }) => ({
    success: 1,
    stateList:
      (body as { address_id: number }).address_id === 2
        ? [{ address_id: 21, content: "Valparaíso" }]
        : [],
  }));
});

async function openForm() {
  const { user, where } = openOrder({ invoice_code: "MHW-1", status_id: 2 });
  const opener = await screen.findByRole("button", { name: "Edit Address" });
  await user.click(opener);
  const form = within(await screen.findByRole("dialog", { name: "Edit Address" }));
  return { user, where, form, opener };
}

it("opens with the address, saves the change after the question and goes to the order", async () => {
  const { user, where, form } = await openForm();
  const city = form.getByRole("textbox", { name: "City" });
  expect(form.getByRole("combobox", { name: "Country" })).toHaveDisplayValue("Poland");
  expect(form.getByRole("combobox", { name: "State" })).toHaveDisplayValue("Mazowieckie");
  expect(city).toHaveValue("Warszawa");
  const saved = answer("put", "/order/edit/address", { success: 1 });
  await user.selectOptions(form.getByRole("combobox", { name: "State" }), "Pomorskie");
  await user.clear(city);
  await user.type(city, "Gdynia{Enter}");
  await answerAlert(user, QUESTION, "Confirm");
  await answerAlert(user, "Shipping address has been changed.");
  expect(saved.map(({ body }) => body)).toEqual([
    { ...SHIP, invoice_code: "MHW-1", ship_state: 12, ship_city: "Gdynia" },
  ]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(where()).toBe("/invoice/2?invoice_code=MHW-1");
});

it("changes nothing when the question is declined", async () => {
  const { user, form } = await openForm();
  const saved = answer("put", "/order/edit/address", { success: 1 });
  await user.click(form.getByRole("button", { name: "Save" }));
  await screen.findByText(QUESTION);
  await user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Cancel" }));
  expect(saved).toEqual([]);
  expect(form.getByRole("textbox", { name: "City" })).toBeVisible();
});

it("loads the states of another country and clears the state; none disables the field", async () => {
  const { user, form } = await openForm();
  const country = form.getByRole("combobox", { name: "Country" });
  const state = form.getByRole("combobox", { name: "State" });
  await user.selectOptions(country, "Chile");
  await within(state).findByRole("option", { name: "Valparaíso" });
  expect(state).toHaveValue("");
  await user.selectOptions(state, "Valparaíso");
  await user.selectOptions(country, "Monaco");
  await waitFor(() => expect(state).toBeDisabled());
  expect(state).toHaveValue("");
});

it("marks empty fields and asks nothing until they are filled", async () => {
  const { user, form } = await openForm();
  const zipcode = form.getByRole("textbox", { name: "Zipcode" });
  await user.clear(zipcode);
  await user.clear(form.getByRole("textbox", { name: "Address 2" }));
  await user.click(form.getByRole("button", { name: "Save" }));
  expect(zipcode).toHaveAccessibleDescription("This field is required.");
  expect(zipcode).toHaveFocus();
  expect(form.getByRole("textbox", { name: "Address 2" })).toBeValid();
  expect(screen.queryByRole("alertdialog")).toBeNull();
  await user.type(zipcode, "8");
  expect(zipcode).toBeValid();
});

it("says a refusal at the field that it names, and keeps the form", async () => {
  const { user, form } = await openForm();
  const unprintable = "Invoices cannot print “渋谷区”: please write this in Latin letters.";
  refuse("put", "/order/edit/address", {
    status: 400,
    body: { code: "invalid", message: WRONG, errors: { ship_city: [unprintable] } },
  });
  const city = form.getByRole("textbox", { name: "City" });
  await user.clear(city);
  await user.type(city, "渋谷区");
  await user.click(form.getByRole("button", { name: "Save" }));
  await answerAlert(user, QUESTION, "Confirm");
  await waitFor(() => expect(city).toHaveAccessibleDescription(unprintable));
  await waitFor(() => expect(city).toHaveFocus());
  expect(city).toHaveValue("渋谷区");
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("gives the focus back to its button", async () => {
  const { user, opener } = await openForm();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(opener).toHaveFocus());
});

it("alerts and stays closed when the address cannot be loaded", async () => {
  refuse("post", "/order/address", { status: 502 });
  const { user } = openOrder({});
  await user.click(await screen.findByRole("button", { name: "Edit Address" }));
  await answerAlert(user, WRONG);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("says how an order stands that somebody else has changed, and keeps what was typed", async () => {
  const { user, form } = await openForm();
  const city = form.getByRole("textbox", { name: "City" });
  await user.clear(city);
  await user.type(city, "Gdynia");
  refuse("put", "/order/edit/address", {
    status: 409,
    body: { code: "wrong_status", message: "" },
  });
  const step = { kind: "cancelled", tone: "bad", title: "Cancelled on 27 Nov 2026" } as const;
  const next_step = { ...step, text: "Sold to nobody.", amount: null, rows: [] };
  const now = { status_id: 0, message: "Cancelled", payment: "" as const, next_step };
  answer("get", "/details/{invoice_code}", orderDetails({ invoice_code: "MHW-1", ...now }));
  await user.click(form.getByRole("button", { name: "Save" }));
  await answerAlert(user, QUESTION, "Confirm");
  await answerAlert(user, "This order has changed in the meantime. It is now: Cancelled.");
  expect(city).toHaveValue("Gdynia");
  await user.click(form.getByRole("button", { name: "Cancel" }));
  expect(await screen.findByRole("heading", { name: "Cancelled on 27 Nov 2026" })).toBeVisible();
});
