import { createContext, useContext } from "react";
import type { Schemas } from "./client";

export type User = Schemas["User"];

/** Who uses the portal now. `forgetPage`: signed out on purpose, so no page is remembered. */
export type Session =
  | { readonly phase: "checking" }
  | { readonly phase: "unreachable" }
  | { readonly phase: "out"; readonly forgetPage: boolean }
  | { readonly phase: "in"; readonly user: User };

export interface SessionActions {
  readonly session: Session;
  readonly signIn: (token: string, user: User) => void;
  readonly logOut: () => void;
  /** Asks /check again after it could not be reached. */
  readonly retry: () => void;
}

export const SessionContext = createContext<SessionActions | undefined>(undefined);

export function useSession(): SessionActions {
  const actions = useContext(SessionContext);
  if (!actions) throw new Error("useSession needs a SessionContext");
  return actions;
}

/** The signed-in buyer; only for screens behind the sign-in. */
export function useUser(): User {
  const { session } = useSession();
  if (session.phase !== "in") throw new Error("useUser needs a signed-in visitor");
  return session.user;
}
