import createClient, { type Middleware } from "openapi-fetch";
import { connection } from "@/shared/online";
import { token } from "@/shared/token";
import { ApiError, isAway, isObject, isUnanswered, SessionEnded } from "./errors";
import type { paths } from "./schema.gen";

const HEADER = "x-access-token";

type SessionEndListener = () => void;
let sessionEnded: SessionEndListener = () => undefined;

/** Names the one place that signs out when an answer says that the token is no longer good. */
export function whenSessionEnds(listener: SessionEndListener): void {
  sessionEnded = listener;
}

let unanswered = () => undefined as unknown;

/** Names who looks into it when a call gets no answer, or none of the portal's. */
export function whenUnanswered(listener: () => unknown): void {
  unanswered = listener;
}

const session: Middleware = {
  onRequest({ request }) {
    const stored = token.get();
    if (stored) request.headers.set(HEADER, stored);
  },
  async onResponse({ request, response }) {
    if (response.status !== 403) return;
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined);
    if (isObject(body) && "success" in body) return;
    // A late answer to a call of an earlier session must not end the one that has begun since.
    if (request.headers.get(HEADER) === token.get()) sessionEnded();
    throw new SessionEnded(403, body);
  },
};

/** The calls of the contract; paths, parameters and bodies are checked by its types. */
export const api = createClient<paths>({
  baseUrl: `${window.location.origin}/api`,
  // As a function, so that tests can intercept it.
  fetch: (request) =>
    fetch(request).then(
      (response) => {
        if (isAway(response.status)) unanswered();
        return response;
      },
      (error: unknown) => {
        if (!request.signal.aborted) unanswered();
        throw error;
      },
    ),
});
api.use(session);

/**
 * The body of a successful answer. Outcomes that the specification numbers (-2, -1, 0) are answers.
 *
 * Throws ApiError for a refusal, SessionEnded among them.
 */
export function unwrap<Body>(result: { data?: Body; error?: unknown; response: Response }): Body {
  if (!result.response.ok) throw new ApiError(result.response.status, result.error);
  return result.data as Body;
}

/**
 * Sends it now; without a connection, and where no answer comes, keeps it to be sent later under the same key. Resolves to
 * whether it was sent.
 */
export async function sendOrKeep(
  send: () => Promise<unknown>,
  keep: () => Promise<void>,
): Promise<boolean> {
  if (connection.isOnline()) {
    try {
      await send();
      return true;
    } catch (error) {
      if (!isUnanswered(error)) throw error;
    }
  }
  await keep();
  return false;
}
