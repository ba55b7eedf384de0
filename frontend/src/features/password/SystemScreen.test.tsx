import { onlineManager } from "@tanstack/react-query";
import { act, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { token } from "@/shared/token";
import { user as buyer } from "@/test/builders";
import { answerAlert, renderScreen } from "@/test/render";
import { answer, refuse } from "@/test/server";
import SystemScreen from "./SystemScreen";

const CHANGED = { success: 1, token: "renewed" };

async function submitWith(password: string, confirmation: string) {
  const rendered = renderScreen(<SystemScreen />, {
    at: "/Setting",
    user: buyer({ company_id: 7 }),
  });
  const { user } = rendered;
  if (password) await user.type(screen.getByLabelText("Change Password"), password);
  if (confirmation) await user.type(screen.getByLabelText("Confirm Password"), confirmation);
  await user.click(screen.getByRole("button", { name: "Submit" }));
  return rendered;
}

it("changes the password, goes on with the new token and clears both fields", async () => {
  token.set("stored");
  const calls = answer("put", "/password/{company_id}", CHANGED);
  const { user } = await submitWith("new secret", "new secret");
  await answerAlert(user, "Your password has been changed.");
  expect(calls[0]?.params).toEqual({ company_id: "7" });
  expect(calls[0]?.body).toEqual({
    company_id: 7,
    password: "new secret",
    passwordConfirm: "new secret",
  });
  expect(token.get()).toBe("renewed");
  expect(screen.getByLabelText("Change Password")).toHaveValue("");
  expect(screen.getByLabelText("Confirm Password")).toHaveValue("");
});

it.each([
  ["", "", "Enter your password."],
  ["long enough", "", "Enter your password."],
  ["1234567", "1234567", "Password must be at least 8 characters"],
  ["😀😀😀😀", "😀😀😀😀", "Password must be at least 8 characters"],
  ["long enough", "long enouhg", "Password do not match."],
])("%j with %j is refused before any call", async (password, confirmation, text) => {
  const calls = answer("put", "/password/{company_id}", CHANGED);
  const { user } = await submitWith(password, confirmation);
  await screen.findByRole("alertdialog", { description: text });
  await user.click(screen.getByRole("button", { name: "OK" }));
  expect(calls).toHaveLength(0);
});

it("says under the confirmation that the fields differ, for as long as they do", async () => {
  const { user } = renderScreen(<SystemScreen />);
  await user.type(screen.getByLabelText("Change Password"), "new secret");
  expect(screen.queryByText("Password do not match.")).toBeNull();
  const confirmation = screen.getByLabelText("Confirm Password");
  await user.type(confirmation, "new secre");
  expect(confirmation).toHaveAccessibleDescription("Password do not match.");
  expect(confirmation).toBeInvalid();
  await user.type(confirmation, "t");
  expect(screen.queryByText("Password do not match.")).toBeNull();
});

it("says beside the button that the call failed, keeps the token and opens no alert", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  token.set("stored");
  refuse("put", "/password/{company_id}", { status: 500, body: { code: "error", message: "x" } });
  await submitWith("new secret", "new secret");
  expect(await screen.findByText("That did not work. Please try again.")).toBeVisible();
  expect(screen.queryByRole("alertdialog")).toBeNull();
  expect(token.get()).toBe("stored");
});

it("says why the password cannot be changed without a connection", async () => {
  renderScreen(<SystemScreen />);
  act(() => onlineManager.setOnline(false));
  expect(screen.getByText("Changing the password needs a connection.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Submit" })).toBeDisabled();
  act(() => onlineManager.setOnline(true));
  expect(screen.getByRole("button", { name: "Submit" })).toBeEnabled();
});
