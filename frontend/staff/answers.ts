/** Questions to the server, beside the page: an answer, or null where there is none. */

/** Whether the last answer was the sign-in, or a refusal of a form from before it. */
export let isSignedOut = false;

/** Return the JSON of an address; null for a refusal, a lost session and a server that does not answer in time. */
export async function ask<T>(address: string, init: RequestInit = {}): Promise<T | null> {
  try {
    const answer = await fetch(address, {
      headers: { Accept: "application/json" },
      signal: AbortSignal.timeout(10_000),
      ...init,
    });
    isSignedOut = answer.redirected || answer.status === 403;
    return answer.ok && !answer.redirected ? ((await answer.json()) as T) : null;
  } catch {
    return null;
  }
}

/** Return what asks a question anew and shows its answer, unless it was asked again meanwhile. */
export function asking<T>(question: () => Promise<T | null>, show: (answer: T) => void) {
  let turns = 0;
  return async () => {
    turns += 1;
    const turn = turns;
    const answer = await question();
    if (answer && turn === turns) show(answer);
  };
}

/** Return the JSON that a POST of fields is answered with, as `ask` does. */
export function post<T>(
  address: string,
  fields: Record<string, string>,
  form: HTMLFormElement,
): Promise<T | null> {
  const csrfmiddlewaretoken = String(new FormData(form).get("csrfmiddlewaretoken"));
  const body = new URLSearchParams({ ...fields, csrfmiddlewaretoken });
  return ask<T>(address, { method: "POST", body });
}
