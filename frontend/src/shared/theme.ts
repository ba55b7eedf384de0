import { useSyncExternalStore } from "react";
import { listenersOf } from "@/domain/listeners";

/** Light or dark as the visitor's system has it, or always the one or the other. */
export const THEMES = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;
export type Theme = (typeof THEMES)[number]["value"];

const YEAR_S = 365 * 24 * 60 * 60;
const listeners = listenersOf();

/** The theme of this browser, in a cookie: the server draws the page in it, and a sign-out leaves it. */
export const theme = {
  subscribe: listeners.subscribe,
  chosen(): Theme {
    const { theme } = document.documentElement.dataset;
    return THEMES.find(({ value }) => value === theme)?.value ?? "system";
  },
  choose(name: Theme): void {
    if (name === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing in some browsers.
    document.cookie = `theme=${name}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`;
    for (const bar of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
      const { scheme = "" } = bar.dataset;
      const always = scheme === name ? "all" : "not all";
      bar.media = name === "system" ? `(prefers-color-scheme: ${scheme})` : always;
    }
    listeners.tell();
  },
};

export const useTheme = () => useSyncExternalStore(theme.subscribe, theme.chosen);
