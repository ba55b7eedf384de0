import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useOnChange } from "@/shared/effects";

const FRAGMENT = "#reset=";

const tokenIn = (hash: string) =>
  hash.startsWith(FRAGMENT) ? hash.slice(FRAGMENT.length) : undefined;

/**
 * The token of a mailed `/login#reset=…` link, and how to be done with it. It leaves the address bar
 * at once, and never enters a storage.
 */
export function useResetToken(): [token: string | undefined, forget: () => void] {
  const { hash, pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(() => tokenIn(hash));

  useOnChange(tokenIn(hash), (found) => {
    setToken(found);
    void navigate({ pathname, search }, { replace: true, state });
  });

  return [token, () => setToken(undefined)];
}
