const OFF = "shortcuts=off";
const YEAR_S = 365 * 24 * 60 * 60;

/** Whether single keys are shortcuts in this browser: a cookie, which a sign-out leaves as it is. */
export const singleKeys = {
  areOn: (): boolean => !document.cookie.split("; ").includes(OFF),
  turn(on: boolean): void {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing in some browsers.
    document.cookie = `${OFF}; Path=/; Max-Age=${on ? 0 : YEAR_S}; SameSite=Lax`;
  },
};

const ASKED_FOR = "shortcuts-asked-for";

/** The list of shortcuts, which the account menu asks for too. */
export const shortcutList = {
  show: (): void => void window.dispatchEvent(new Event(ASKED_FOR)),
  /** Tells of each time it is asked for; the answer ends that. */
  onShow(listener: () => void): () => void {
    window.addEventListener(ASKED_FOR, listener);
    return () => window.removeEventListener(ASKED_FOR, listener);
  },
};
