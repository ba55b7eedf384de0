/** Set-up of the application's tests: all of it, by its address. */
import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { token } from "@/shared/token";
import { user as buyer } from "@/test/builders";
import { renderApp } from "@/test/render";
import { answer } from "@/test/server";
import { App } from "./router";
import { SessionProvider } from "./SessionProvider";

export const COUNTS = { ready: 2, receipt: 1, confirm: 3, paid: 0, shipped: 28 };
export const DASHBOARD = { success: 1, notice: [], order: COUNTS, purchase: [], popup: [] };

export function open(at: string) {
  answer("get", "/dashboard/due/{uuid}", { success: 1, owed: 0, more: 0, steps: [], regulars: [] });
  return renderApp(<App />, { at, wrap: (page) => <SessionProvider>{page}</SessionProvider> });
}

export function openSignedIn(at: string) {
  token.set("stored");
  answer("post", "/check", { success: 1, token: "renewed", user: buyer() });
  return open(at);
}

export async function signIn(user: UserEvent) {
  answer("post", "/login", { success: 1, token: "t", user: buyer() });
  await user.type(await screen.findByLabelText("Email"), "buyer@demo.test");
  await user.type(screen.getByLabelText("Password"), "demo-buyer-1{Enter}");
}
