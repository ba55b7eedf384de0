import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { drafts } from "@/shared/drafts";
import { answerAlert } from "@/test/render";
import { answer, refuse } from "@/test/server";
import {
  acceptTerms,
  FILLED_IN,
  field,
  fill,
  fillPasswords,
  of,
  openForm,
  render,
  submit,
  TOKEN,
  terms,
  WRONG,
} from "./testing";

const PENDING = "Available after receiving administrator approval mail. (It takes 2 to 3 days)";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

/** A form that only lacks what is never prefilled. */
async function openReady() {
  const opened = await openForm({});
  await fillPasswords(opened.user);
  await acceptTerms(opened.user);
  return opened;
}

it("sends the whole form, and says that an administrator approves it", async () => {
  const sent = answer("post", "/register/sign-up", { success: 1 });
  const { user, where } = await openForm();
  expect(field("E-mail")).toHaveValue("ines@glow.test");
  expect(field("E-mail")).toHaveAttribute("readonly");
  await fillPasswords(user);
  for (const [label, text] of [
    ["Company", "Glow Trading"],
    ["Manager", "Ines Brandt"],
    ["Sales channel", "Own shops"],
  ] as const) {
    await fill(user, screen.getByRole("textbox", { name: label }), text);
  }
  const company = within(screen.getByRole("region", { name: "Company" }));
  await fill(user, company.getByRole("textbox", { name: "Phone" }), "+48 22 555 01 74");
  await user.selectOptions(field("Business type"), "Retailer");
  await user.selectOptions(of("Company address", "Country"), "Poland");
  await within(of("Company address", "State")).findByRole("option", { name: "Mazowieckie" });
  await user.selectOptions(of("Company address", "State"), "Mazowieckie");
  for (const [card, label, text] of [
    ["Company address", "City", "Warszawa"],
    ["Company address", "Address 1", "ul. Lipowa 51"],
    ["Shipping address", "City", "Monaco"],
    ["Shipping address", "Zipcode", "98000"],
    ["Shipping address", "Address 1", "Rue Grimaldi 2"],
    ["Shipping address", "Phone", "+377 99 99 99 99"],
  ] as const) {
    await fill(user, of(card, label), text);
  }
  await user.selectOptions(of("Shipping address", "Country"), "Monaco");
  await acceptTerms(user);
  await submit(user);
  const dialog = within(await screen.findByRole("dialog", { name: "Sign up" }));
  expect(dialog.getByText(PENDING)).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([
    {
      token: TOKEN,
      email: "ines@glow.test",
      password: "secret-1",
      confirm_password: "secret-1",
      company: "Glow Trading",
      manager: "Ines Brandt",
      phone: "+48 22 555 01 74",
      business_type: 2,
      sales_channel: "Own shops",
      certificate_files: "",
      country: 1,
      state: 11,
      city: "Warszawa",
      address1: "ul. Lipowa 51",
      address2: "",
      zipcode: "",
      ship_country: 3,
      ship_state: null,
      ship_city: "Monaco",
      ship_address1: "Rue Grimaldi 2",
      ship_address2: "",
      ship_zipcode: "98000",
      ship_phone: "+377 99 99 99 99",
      terms: true,
      terms_version: 3,
    },
  ]);
  expect(await drafts.read(TOKEN, "registration")).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Confirm" }));
  expect(where()).toBe("/");
});

it("names every empty field in place, alerts, and then has the focus on the first", async () => {
  const sent = answer("post", "/register/sign-up", { success: 1 });
  const { user } = await openForm();
  await submit(user);
  await screen.findByRole("alertdialog");
  // Nothing is under way behind the alert.
  expect(screen.getByRole("button", { name: "Submit", hidden: true })).not.toHaveAttribute(
    "aria-busy",
  );
  await answerAlert(user, "Please fill in all the necessary elements");
  await waitFor(() => expect(field("Password")).toHaveFocus());
  expect(screen.getAllByText("This field is required.")).toHaveLength(15);
  expect(of("Company address", "Zipcode")).toBeValid();
  expect(of("Shipping address", "Zipcode")).toBeInvalid();
  expect(terms()).toHaveAccessibleDescription("This field is required.");
  await user.type(field("Password"), "x");
  expect(field("Password")).not.toHaveAttribute("aria-invalid");
  expect(sent).toEqual([]);
});

it.each([
  ["1234567", "1234567", "Password must be at least 8 characters long", "Password"],
  ["long enough", "long enouhg", "The passwords are not the same", "Confirm Password"],
  // Both: the first in the order of the specification.
  ["1234567", "7654321", "Password must be at least 8 characters long", "Password"],
])("%j with %j is refused: %s", async (password, repeated, text, at) => {
  const { user } = await openForm({});
  await fillPasswords(user, password, repeated);
  await acceptTerms(user);
  await submit(user);
  await answerAlert(user, text);
  await waitFor(() => expect(field(at)).toHaveFocus());
  expect(field(at)).toHaveAccessibleDescription(text);
});

it("the terms are read before they are ticked; a tick goes at a click", async () => {
  const { user } = await openForm();
  await user.click(terms());
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText(/within 7 days of receipt/)).toBeVisible();
  await user.keyboard("{Escape}");
  expect(terms()).not.toBeChecked();
  await user.click(screen.getByRole("button", { name: "privacy policy and terms of use" }));
  await user.click(await screen.findByRole("button", { name: "Confirm" }));
  expect(terms()).toBeChecked();
  await user.click(terms());
  expect(terms()).not.toBeChecked();
});

it("'same as company address' needs a complete one, keeps in step, and clears when unticked", async () => {
  const { user } = await openForm({ address2: "" });
  const same = screen.getByRole("checkbox", { name: "same as company address" });
  await within(of("Company address", "State")).findByRole("option", { name: "Mazowieckie" });
  await user.click(same);
  await answerAlert(user, "Please enter your company address");
  expect(same).not.toBeChecked();
  expect(of("Shipping address", "City")).toHaveValue("Valparaíso");

  await user.type(of("Company address", "Address 2"), "lok. 14");
  await user.click(same);
  expect(same).toBeChecked();
  expect(of("Shipping address", "City")).toHaveValue("Warszawa");
  expect(of("Shipping address", "City")).toHaveAttribute("readonly");
  await user.type(of("Company address", "City"), " 2");
  expect(of("Shipping address", "City")).toHaveValue("Warszawa 2");

  await user.click(same);
  for (const name of ["Country", "State", "City", "Zipcode", "Address 1", "Address 2"]) {
    expect(of("Shipping address", name)).toHaveValue("");
  }
  expect(of("Shipping address", "Phone")).toHaveValue(FILLED_IN.ship_phone);
  expect(of("Company address", "City")).toHaveValue("Warszawa 2");
});

it("another country clears the state; without states the field is disabled", async () => {
  const { user } = await openForm({});
  const state = of("Company address", "State");
  await waitFor(() => expect(state).toHaveDisplayValue("Mazowieckie"));
  await user.selectOptions(of("Company address", "Country"), "Chile");
  await within(state).findByRole("option", { name: "Valparaíso Region" });
  expect(state).toHaveValue("");
  await user.selectOptions(of("Company address", "Country"), "Monaco");
  await waitFor(() => expect(state).toBeDisabled());
});

it("what was typed survives a reload, but no password is kept", async () => {
  const first = await openForm();
  await fillPasswords(first.user, "secret-1");
  await first.user.type(screen.getByRole("textbox", { name: "Company" }), "Glow Trading");
  await first.user.selectOptions(of("Company address", "Country"), "Poland");
  await acceptTerms(first.user);
  first.unmount();
  const draft = JSON.stringify(await drafts.read(TOKEN, "registration"));
  expect(draft).toContain("Glow Trading");
  expect(draft).not.toContain("secret-1");
  render();
  expect(await screen.findByRole("textbox", { name: "Company" })).toHaveValue("Glow Trading");
  expect(of("Company address", "Country")).toHaveDisplayValue("Poland");
  expect(terms()).toBeChecked();
  expect(field("Password")).toHaveValue("");
});

it("shows what staff ask for, with the form as it was sent", async () => {
  await openForm(
    { certificate_files: "ab.pdf", certificate_name: "old.pdf" },
    "Please send a newer certificate.",
  );
  const asked = screen.getByRole("region", { name: "We need a little more from you" });
  expect(asked).toHaveTextContent("Please send a newer certificate.");
  expect(screen.getByRole("textbox", { name: "Company" })).toHaveValue("Glow Trading");
  expect(of("Shipping address", "Country")).toHaveDisplayValue("Chile");
  expect(screen.getByText("old.pdf")).toBeVisible();
  expect(terms()).not.toBeChecked();
});

it("a link that opens no form says so and leads to the first step", async () => {
  answer("get", "/register/init-info/{token}", { success: -1 });
  const { user, where } = render();
  await answerAlert(user, "Your token has expired.");
  await waitFor(() => expect(where()).toBe("/register"));
});

it("alerts when the form cannot be loaded, and can try again", async () => {
  refuse("get", "/register/init-info/{token}", { status: 502 });
  const { user } = render();
  await answerAlert(user, WRONG);
  answer("get", "/register/init-info/{token}", {
    success: 1,
    email: "ines@glow.test",
    country: [],
    businessType: [],
    registration: null,
    message: "",
  });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByLabelText("E-mail")).toHaveValue("ines@glow.test");
});

it("a link that expires before the form is sent leads to the first step", async () => {
  const body = { code: "expired", message: "Your token has expired." };
  refuse("post", "/register/sign-up", { status: 409, body });
  const { user, where } = await openReady();
  await submit(user);
  await answerAlert(user, "Your token has expired.");
  await waitFor(() => expect(where()).toBe("/register"));
});

it("says that the address is subscribed by now, and loses nothing", async () => {
  answer("post", "/register/sign-up", { success: -1 });
  const { user } = await openReady();
  await submit(user);
  await answerAlert(user, "This email has already been subscribed.");
  expect(screen.getByRole("textbox", { name: "Company" })).toHaveValue("Glow Trading");
});

it.each([
  ["Please fill in all the necessary elements", "Please fill in all the necessary elements"],
  ["The request is invalid.", "Unknown state of this country."],
])("shows a refusal of %j at its field", async (message, text) => {
  const errors = { ship_state: ["Unknown state of this country."] };
  refuse("post", "/register/sign-up", { status: 400, body: { message, errors } });
  const { user } = await openReady();
  await submit(user);
  await answerAlert(user, text);
  await waitFor(() => expect(of("Shipping address", "State")).toHaveFocus());
  expect(of("Shipping address", "State")).toHaveAccessibleDescription(
    "Unknown state of this country.",
  );
});

it("opens the general alert when the call fails, and loses nothing", async () => {
  refuse("post", "/register/sign-up", { status: 500 });
  const { user } = await openReady();
  await submit(user);
  await answerAlert(user, WRONG);
  expect(field("Password")).toHaveValue("secret-1");
  expect(screen.getByRole("button", { name: "Submit" })).toBeEnabled();
});

it("says beside the button that there were too many attempts", async () => {
  const body = { code: "throttled", message: "x" };
  refuse("post", "/register/sign-up", { status: 429, body });
  const { user } = await openReady();
  await submit(user);
  expect(await screen.findByText("Too many attempts. Please wait a moment.")).toBeVisible();
  expect(screen.queryByRole("alertdialog")).toBeNull();
});
