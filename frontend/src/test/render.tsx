import { QueryClientProvider } from "@tanstack/react-query";
import { type RenderResult, render, screen } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { type ReactNode, useLayoutEffect } from "react";
import { MemoryRouter, useLocation } from "react-router";
import { SessionContext, type User } from "@/api/session";
import { createQueryClient } from "@/app/query-client";
import { AlertHost } from "@/shared/ui/AlertHost";
// Loaded with the file, so that no test waits for the popup's chunk.
import "@/shared/ui/AlertPopup";
import ToastHost from "@/shared/ui/ToastHost";
import { user as buildUser } from "./builders";

interface Options {
  /** Path and query at the start, with a state of the route. */
  at?: string | { pathname: string; state: unknown };
  /** Providers between the router and the screen. */
  wrap?: (screen: ReactNode) => ReactNode;
}

interface Rendered extends RenderResult {
  user: UserEvent;
  /** Path and query where the visitor is now. */
  where: () => string;
}

function Where({ now }: { now: { page: string } }) {
  const { pathname, search } = useLocation();
  // With the drawing itself: what is on the screen and where it is must agree.
  useLayoutEffect(() => {
    now.page = pathname + search;
  });
  return null;
}

/** Renders with the cache of server state, the router, alerts and toasts, as the application does. */
export function renderApp(
  ui: ReactNode,
  { at = "/", wrap = (screen) => screen }: Options = {},
): Rendered {
  const now = { page: "" };
  const rendered = render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter initialEntries={[at]}>
        <Where now={now} />
        {wrap(ui)}
        <AlertHost />
        <ToastHost />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { ...rendered, user: userEvent.setup(), where: () => now.page };
}

/** Renders one screen for a signed-in buyer. */
export function renderScreen(
  ui: ReactNode,
  { user = buildUser(), ...options }: Options & { user?: User } = {},
): Rendered {
  const actions = {
    session: { phase: "in", user } as const,
    signIn: () => undefined,
    logOut: () => undefined,
    retry: () => undefined,
  };
  return renderApp(ui, {
    ...options,
    wrap: (screen) => <SessionContext value={actions}>{screen}</SessionContext>,
  });
}

/** Waits for an alert or question with exactly this text and presses the button. */
export async function answerAlert(
  user: UserEvent,
  text: string,
  button: "OK" | "Confirm" | "Cancel" = "OK",
): Promise<void> {
  await screen.findByText(text, { selector: "[role=alertdialog] *" });
  await user.click(await screen.findByRole("button", { name: button }));
}
