import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { ApiError, api, isSessionEnd, unwrap, whenSessionEnds } from "@/api/client";
import { type Session, SessionContext, type User } from "@/api/session";
import { isAway } from "@/shared/away";
import { useWindowEvent } from "@/shared/effects";
import { connection } from "@/shared/online";
import * as texts from "@/shared/texts";
import {
  clearStorage,
  hasSyncedBasket,
  leftBasket,
  rememberedUser,
  TOKEN,
  token,
} from "@/shared/token";
import { alert } from "@/shared/ui/alerts";
import { toasts } from "@/shared/ui/toasts";

const RENEW_AFTER_MS = 12 * 60 * 60 * 1000;

/** The session: of a token in local storage /check decides, and nothing is shown until it has answered. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [session, setSession] = useState<Session>(() =>
    token.get() ? { phase: "checking" } : { phase: "out", forgetPage: false },
  );
  const renewedAt = useRef(0);

  const enter = (user: User) => {
    renewedAt.current = Date.now();
    rememberedUser.set(user);
    setSession({ phase: "in", user });
  };

  const signIn = (value: string, user: User) => {
    token.set(value);
    enter(user);
  };

  const leave = (forgetPage: boolean) => {
    clearStorage();
    if (leftBasket.get().length > 0) {
      load()
        .then(({ setAside }) => setAside())
        .catch(log);
    }
    queries.clear();
    // Its Undo would bring back what has just been emptied.
    toasts.dismiss();
    setSession({ phase: "out", forgetPage });
  };

  const expire = () => {
    if (!token.get()) return;
    leave(false);
    void alert(texts.sessionExpired);
  };

  const accept = (answer: { success: number; token?: string; user?: User }, renew: boolean) => {
    if (answer.success !== 1 || !answer.token || !answer.user) expire();
    else if (renew) signIn(answer.token, answer.user);
    else enter(answer.user);
  };

  /** Asks who the token belongs to. `renew` stores the token of the answer in its place. */
  const check = async ({ renew }: { renew: boolean }) => {
    const stored = token.get();
    if (!stored) return setSession({ phase: "out", forgetPage: false });
    try {
      const answer = unwrap(await api.POST("/check", { body: { token: stored } }));
      if (token.get() === stored) accept(answer, renew);
    } catch (error) {
      if (isSessionEnd(error)) return;
      console.error(error);
      const begun = unanswered(error);
      // A session that is under way goes on: its next call will tell.
      setSession((now) => (now.phase === "checking" ? begun : now));
    }
  };

  const ask = useEffectEvent(check);
  const end = useEffectEvent(expire);

  useEffect(() => {
    whenSessionEnds(() => end());
    void ask({ renew: true });
    return connection.subscribe(() => {
      const isUnchecked = token.get() && !renewedAt.current;
      if (isUnchecked && connection.isOnline()) void ask({ renew: true });
    });
  }, []);

  // Another tab has stored another token, or cleared the storage.
  useWindowEvent("storage", ({ key }) => {
    if (key !== TOKEN && key !== null) return;
    if (!token.get()) queries.clear();
    // The other tab's token is fresh. Storing another here would set off that tab in turn.
    void check({ renew: false });
  });

  useWindowEvent("focus", () => {
    const old = Date.now() - renewedAt.current > RENEW_AFTER_MS;
    if (token.get() && renewedAt.current && old) void check({ renew: true });
  });

  const user = session.phase === "in" ? session.user.uuid : undefined;
  useBasketSync(user);

  const logOut = async () => {
    // The server gets the last edits of the basket first. Those that do not reach it wait in this browser.
    if (user && hasSyncedBasket()) {
      await load()
        .then(({ flushBasket }) => flushBasket(user, LAST_EDITS_MS))
        .catch(log);
    }
    leave(true);
  };

  const actions = {
    session,
    signIn,
    logOut: () => void logOut(),
    retry: () => {
      setSession({ phase: "checking" });
      void check({ renew: true });
    },
  };
  return <SessionContext value={actions}>{children}</SessionContext>;
}

/** The session of a start without an answer: where there is no connection, that of the buyer who was here. */
function unanswered(error: unknown): Session {
  const isRefused = error instanceof ApiError && !isAway(error.status);
  const user = isRefused ? null : (rememberedUser.get() as User | null);
  if (!user) return { phase: "unreachable" };
  connection.set(false);
  return { phase: "in", user };
}

const load = () => import("./signed-in");
const log = (error: unknown) => console.error(error);
const LAST_EDITS_MS = 1500;

/** Keeps the basket of the signed-in buyer (a uuid) and the server's alike, and sends what waited for a connection. */
function useBasketSync(buyer: string | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!buyer) return;
    let stop: (() => void) | undefined;
    let isOver = false;
    load()
      .then(({ start }) => {
        if (!isOver) stop = start(buyer, client);
      })
      .catch(log);
    return () => {
      isOver = true;
      stop?.();
    };
  }, [buyer, client]);
}
