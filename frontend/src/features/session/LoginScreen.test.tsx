import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { SessionContext } from "@/api/session";
import { user as buyer } from "@/test/builders";
import { answerAlert, renderApp } from "@/test/render";
import { answer, refuse } from "@/test/server";
import LoginScreen from "./LoginScreen";

async function signInWith(email = "buyer@demo.test", password = "secret-1") {
  const signIn = vi.fn();
  const actions = {
    session: { phase: "out", forgetPage: false } as const,
    signIn,
    logOut: () => undefined,
    retry: () => undefined,
  };
  const { user } = renderApp(
    <SessionContext value={actions}>
      <LoginScreen />
    </SessionContext>,
    { at: "/login" },
  );
  await user.type(screen.getByLabelText("Email"), email);
  await user.type(screen.getByLabelText("Password"), `${password}{Enter}`);
  return { user, signIn };
}

it("signs in with the token and the user of the answer", async () => {
  const calls = answer("post", "/login", { success: 1, token: "t", user: buyer() });
  const { signIn } = await signInWith();
  await vi.waitFor(() => expect(signIn).toHaveBeenCalledWith("t", buyer()));
  expect(calls.map((call) => call.body)).toEqual([
    { email: "buyer@demo.test", password: "secret-1" },
  ]);
});

it.each([
  [-1, "Invalid login information."],
  [-2, "Sign-up approval is required. Please contact the administrator."],
])("answers %i with its alert and clears both fields after OK", async (success, text) => {
  answer("post", "/login", { success });
  const { user, signIn } = await signInWith();
  await screen.findByRole("alertdialog", { description: text });
  expect(screen.getByLabelText("Email")).toHaveValue("buyer@demo.test");
  await answerAlert(user, text);
  await vi.waitFor(() => expect(screen.getByLabelText("Email")).toHaveValue(""));
  expect(screen.getByLabelText("Password")).toHaveValue("");
  expect(signIn).not.toHaveBeenCalled();
});

it.each([
  [500, "error", "That did not work. Please try again."],
  [429, "throttled", "Too many attempts. Please wait a moment."],
  [503, "unavailable", "x"],
])(
  "says beside the button that a call failed with %i, without an alert",
  async (status, code, text) => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    refuse("post", "/login", { status, body: { code, message: "x" } });
    await signInWith();
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(screen.getByLabelText("Email")).toHaveValue("buyer@demo.test");
  },
);

it("offers the sign-up and the sales mailbox", async () => {
  answer("post", "/login", { success: 1, token: "t", user: buyer() });
  await signInWith();
  expect(screen.getByLabelText("Email")).toHaveAttribute("type", "email");
  expect(screen.getByRole("link", { name: "Sign up" })).toHaveAttribute("href", "/register");
  expect(screen.getByRole("link", { name: "sales@marenholt.example" })).toHaveAttribute(
    "href",
    "mailto:sales@marenholt.example",
  );
});
