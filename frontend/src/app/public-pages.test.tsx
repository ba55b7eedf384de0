import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { token } from "@/shared/token";
import { answerAlert } from "@/test/render";
import { policyText } from "@/test/seller";
import { answer, refuse } from "@/test/server";
import { DASHBOARD, open, openSignedIn } from "./testing";

beforeEach(() => {
  answer("get", "/policy", policyText());
  answer("post", "/dashboard", DASHBOARD);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

it("the sign-in leads to the registration and back, and both to the policy", async () => {
  const { user, where } = open("/login");
  await user.click(await screen.findByRole("link", { name: "Sign up" }));
  const heading = await screen.findByRole("heading", { name: "Sign up" });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(where()).toBe("/register");
  await user.click(screen.getByRole("link", { name: "Sign in" }));
  await user.click(await screen.findByRole("link", { name: "Privacy policy and terms of use" }));
  const policy = await screen.findByRole("heading", { level: 1 });
  await waitFor(() => expect(policy).toHaveFocus());
  expect(where()).toBe("/policy");
});

it.each(["/login", "/register", "/register/t0ken"])(
  "a signed-in visitor at %s goes to the dashboard",
  async (path) => {
    const { where } = openSignedIn(path);
    expect(await screen.findByRole("heading", { name: "Dash board" })).toBeVisible();
    expect(where()).toBe("/dashboard");
  },
);

it("the policy is the same with and without a sign-in; only the frame differs", async () => {
  const first = open("/policy");
  const outside = (await screen.findByRole("article")).textContent;
  expect(screen.queryByRole("button", { name: "Logout" })).toBeNull();
  first.unmount();
  openSignedIn("/policy");
  expect((await screen.findByRole("article")).textContent).toBe(outside);
  expect(screen.getByRole("button", { name: "Logout" })).toBeVisible();
  expect(screen.getAllByRole("main")).toHaveLength(1);
});

const RESET = "/login#reset=5f0c.abc-123";

async function submitPassword(user: ReturnType<typeof open>["user"], password: string) {
  await user.type(await screen.findByLabelText("Change Password"), password);
  await user.type(screen.getByLabelText("Confirm Password"), password);
  await user.click(screen.getByRole("button", { name: "Submit" }));
}

it("a mailed link asks for a new password, then the sign-in follows", async () => {
  const calls = answer("post", "/reset-password", { success: 1 });
  const { user } = open(RESET);
  expect(await screen.findByRole("heading", { name: "Choose a new password" })).toBeVisible();
  await submitPassword(user, "new secret");
  await answerAlert(user, "Your password has been changed.");
  expect(calls.map(({ body }) => body)).toEqual([
    { token: "5f0c.abc-123", password: "new secret", passwordConfirm: "new secret" },
  ]);
  expect(await screen.findByRole("heading", { name: "Sign in" })).toBeVisible();
});

it.each([
  ["", "Enter your password."],
  ["1234567", "Password must be at least 8 characters"],
])("a new password %j by link is refused before any call", async (password, text) => {
  const calls = answer("post", "/reset-password", { success: 1 });
  const { user } = open(RESET);
  const field = await screen.findByLabelText("Change Password");
  if (password) {
    await user.type(field, password);
    await user.type(screen.getByLabelText("Confirm Password"), password);
  }
  await user.click(screen.getByRole("button", { name: "Submit" }));
  await answerAlert(user, text);
  expect(calls).toEqual([]);
});

it("an expired link says so and leaves the plain sign-in", async () => {
  const body = { code: "expired", message: "Your token has expired." };
  refuse("post", "/reset-password", { status: 409, body });
  const { user } = open(RESET);
  await submitPassword(user, "new secret");
  await answerAlert(user, "Your token has expired.");
  expect(await screen.findByRole("heading", { name: "Sign in" })).toBeVisible();
});

it("a reset by link that fails says so beside the button and keeps the link", async () => {
  refuse("post", "/reset-password", { status: 500 });
  const { user } = open(RESET);
  await submitPassword(user, "new secret");
  expect(await screen.findByText("That did not work. Please try again.")).toBeVisible();
  expect(screen.queryByRole("alertdialog")).toBeNull();
  expect(screen.getByLabelText("Change Password")).toHaveValue("new secret");
});

it("a link opened while signed in ends that sign-in with the change", async () => {
  answer("post", "/reset-password", { success: 1 });
  const { user } = openSignedIn(RESET);
  await submitPassword(user, "new secret");
  await answerAlert(user, "Your password has been changed.");
  expect(await screen.findByRole("heading", { name: "Sign in" })).toBeVisible();
  await waitFor(() => expect(token.get()).toBeNull());
});
