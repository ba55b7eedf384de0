import { storedText } from "@/domain/stored-text";

export const TOKEN = "token";
const USER = "user";
const BASKET = "basket-sync";
const LEFT_BASKET = "basket-left";

/** The session token, in local storage under the key that the specification names. */
export const token = {
  get: (): string | null => localStorage.getItem(TOKEN),
  set: (value: string): void => localStorage.setItem(TOKEN, value),
};

/** The buyer whose token it is, for a start without a connection; goes with the token. */
export const rememberedUser = {
  get: (): unknown => JSON.parse(storedText.get(USER) ?? "null"),
  set: (user: object): boolean => storedText.set(USER, JSON.stringify(user)),
};

/**
 * Sign-out and expiry empty the whole local storage, the basket included (section 4, Session). SKUs and pieces of a basket
 * that the server may not have are left behind for a moment, until they are kept for the buyer's next sign-in.
 */
export function clearStorage(): void {
  const texts = leftBasket.get();
  const state = storedText.get(BASKET);
  storedText.clear();
  if (state) texts.push(state);
  if (texts.length > 0) localStorage.setItem(LEFT_BASKET, JSON.stringify(texts));
}

/** Whether this browser's basket is kept on the server as well. */
export const hasSyncedBasket = (): boolean => storedText.get(BASKET) !== null;

/** Baskets that were left behind, as texts. */
export const leftBasket = {
  get: (): string[] => JSON.parse(localStorage.getItem(LEFT_BASKET) ?? "[]") as string[],
  remove(texts: readonly string[]): void {
    const others = leftBasket.get().filter((text) => !texts.includes(text));
    if (others.length > 0) localStorage.setItem(LEFT_BASKET, JSON.stringify(others));
    else localStorage.removeItem(LEFT_BASKET);
  },
};
