import { screen } from "@testing-library/react";
import { Route, Routes } from "react-router";
import { expect, it, vi } from "vitest";
import { user as buyer } from "@/test/builders";
import { answerAlert, renderScreen } from "@/test/render";
import { policyText } from "@/test/seller";
import { answer } from "@/test/server";
import InvitationScreen from "./InvitationScreen";

const PATH = "/invitation/{token}";
const ANN = { success: 1, email: "ann@rose.test", manager: "Ann", company: "Rose" };

const render = () =>
  renderScreen(
    <Routes>
      <Route path="/invitation/:token" element={<InvitationScreen />} />
      <Route path="*" element={null} />
    </Routes>,
    { at: "/invitation/t0ken" },
  );

async function open() {
  answer("get", PATH, ANN);
  answer("get", "/policy", policyText({ number: 3 }));
  const rendered = render();
  await screen.findByRole("button", { name: "Set password and sign in" });
  return rendered;
}

type User = Awaited<ReturnType<typeof open>>["user"];

async function typePasswords(user: User, password: string) {
  await user.type(screen.getByLabelText("Password"), password);
  await user.type(screen.getByLabelText("Confirm Password"), password);
}

const submit = (user: User) =>
  user.click(screen.getByRole("button", { name: "Set password and sign in" }));

it("takes a password and the terms that were read, and leads to the dashboard", async () => {
  const calls = answer("post", "/invitation", { success: 1, token: "new", user: buyer() });
  const { user, where } = await open();
  expect(screen.getByText("Dear Ann, your account for Rose is ready.")).toBeVisible();
  expect(screen.getByLabelText("Email")).toHaveValue("ann@rose.test");
  await typePasswords(user, "a long secret");
  await submit(user);
  expect(await screen.findByText("This field is required.")).toBeVisible();
  await user.click(screen.getByRole("checkbox"));
  await user.click(await screen.findByRole("button", { name: "Confirm" }));
  await submit(user);
  await vi.waitFor(() => expect(where()).toBe("/dashboard"));
  expect(calls.map(({ body }) => body)).toEqual([
    {
      token: "t0ken",
      password: "a long secret",
      passwordConfirm: "a long secret",
      terms: true,
      terms_version: 3,
    },
  ]);
});

it("refuses a short password before any call", async () => {
  const calls = answer("post", "/invitation", { success: 1, token: "new", user: buyer() });
  const { user } = await open();
  await typePasswords(user, "1234567");
  await submit(user);
  await answerAlert(user, "Password must be at least 8 characters");
  expect(calls).toEqual([]);
});

it("says where to get a new one when the link is not good any more", async () => {
  answer("get", PATH, { success: -1 });
  render();
  expect(
    await screen.findByRole("heading", { name: "This invitation is no longer valid" }),
  ).toBeVisible();
  expect(screen.getByRole("link", { name: "Sign in" })).toHaveAttribute("href", "/login");
});
