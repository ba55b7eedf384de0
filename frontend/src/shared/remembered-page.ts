/** State of the /login location: the page that a logged-out visitor asked for, with its query. */
interface Remembered {
  readonly page: string;
}

export function rememberPage(location: { pathname: string; search: string }): Remembered {
  return { page: location.pathname + location.search };
}

/**
 * The page to go to after the sign-in. Only a path that begins with one slash is followed: two of
 * them, or a slash and a backslash, would be another host.
 */
export function rememberedPage(state: unknown): string {
  const page = (state as Partial<Remembered> | null)?.page;
  return typeof page === "string" && /^\/(?![/\\])/.test(page) ? page : "/dashboard";
}
