import { screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { answerAlert, renderApp } from "@/test/render";
import { answer, refuse } from "@/test/server";
import RegisterEmailScreen from "./RegisterEmailScreen";

const WRONG = "Something went wrong. Please contact the administrator.";
const email = () => screen.getByLabelText("Email");

async function request(address: string) {
  const { user } = renderApp(<RegisterEmailScreen />, { at: "/register" });
  if (address) await user.type(email(), address);
  await user.click(screen.getByRole("button", { name: "Authentication request" }));
  return user;
}

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

it.each(["", "   "])("asks for an address instead of sending %j", async (address) => {
  const calls = answer("post", "/register/email-check", { success: 1 });
  const user = await request(address);
  await answerAlert(user, "Please enter your email address.");
  expect(calls).toEqual([]);
  await vi.waitFor(() => expect(email()).toHaveFocus());
});

it("says that the mail was sent, and empties the field", async () => {
  const calls = answer("post", "/register/email-check", { success: 1 });
  const user = await request("ines@glow.test");
  await answerAlert(user, "Authentication mail has been sent.");
  expect(calls.map(({ body }) => body)).toEqual([{ email: "ines@glow.test" }]);
  await vi.waitFor(() => expect(email()).toHaveValue(""));
});

it("says that an address is subscribed, and keeps it to be mended", async () => {
  answer("post", "/register/email-check", { success: -1 });
  const user = await request("ines@glow.test");
  await answerAlert(user, "This email has already been subscribed.");
  await vi.waitFor(() => expect(email()).toHaveFocus());
  expect(email()).toHaveValue("ines@glow.test");
});

it.each([502, 500, 400])("opens the general alert when the call fails with %i", async (status) => {
  refuse("post", "/register/email-check", { status });
  const user = await request("ines@glow.test");
  await answerAlert(user, WRONG);
  expect(email()).toHaveValue("ines@glow.test");
});

it("says at the field what the server has against the address, until it is mended", async () => {
  const errors = { email: ["Enter a valid email address."] };
  const body = { code: "invalid", message: "The request is invalid.", errors };
  refuse("post", "/register/email-check", { status: 400, body });
  const user = await request("ines@glow");
  await answerAlert(user, WRONG);
  expect(email()).toHaveAccessibleDescription("Enter a valid email address.");
  await user.type(email(), ".test");
  expect(email()).toBeValid();
});

it("says beside the button that there were too many attempts, without an alert", async () => {
  const body = { code: "throttled", message: "Too many attempts. Please wait a moment." };
  refuse("post", "/register/email-check", { status: 429, body });
  await request("ines@glow.test");
  expect(await screen.findByText("Too many attempts. Please wait a moment.")).toBeVisible();
  expect(screen.queryByRole("alertdialog")).toBeNull();
});
