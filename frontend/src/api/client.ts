import createClient, { type Middleware } from "openapi-fetch";
import { isAway } from "@/shared/away";
import { token } from "@/shared/token";
import type { components, paths } from "./schema.gen";

/** The shapes of the contract. */
export type Schemas = components["schemas"];

const HEADER = "x-access-token";

let sessionEnded = () => {};

/** Names the one place that signs out when an answer says that the token is no longer good. */
export function whenSessionEnds(listener: () => void): void {
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

/** Codes of what cannot be done right now and may work in a moment. */
const PASSING = ["unavailable", "storage_unavailable", "busy"];

/** A refusal in the form that the contract gives every call; `message` is the server's sentence. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** The contract's code, or "error" when the answer was not the portal's. */
  readonly code: string;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The same call may work in a moment; `message` says so. */
  readonly isPassing: boolean;

  constructor(status: number, body: unknown) {
    const { code, message, errors } = (isObject(body) ? body : {}) as Partial<ApiError>;
    super(message ?? `HTTP ${status}`);
    this.status = status;
    this.code = code ?? "error";
    this.errors = errors ?? {};
    this.isPassing = PASSING.includes(this.code);
  }
}

/** True where the answer means "sign in again": 403 without `success`. */
export const isSessionEnd = (error: unknown): boolean => error instanceof SessionEnded;

/** The token is no longer good. Signing out is done once, by the client; screens stay silent. */
export class SessionEnded extends ApiError {}

/** The `code` of a refusal, undefined for anything else that went wrong. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof ApiError ? error.code : undefined;
}

/** The fields that a refusal names; none for any other failure. */
export function faultyFields(error: unknown): string[] {
  return error instanceof ApiError ? Object.keys(error.errors) : [];
}

/** What a refusal says of a field, undefined for any other failure. */
export function fieldError(error: unknown, name: string): string | undefined {
  return error instanceof ApiError ? error.errors[name]?.[0] : undefined;
}

export const isPassing = (error: unknown): boolean => error instanceof ApiError && error.isPassing;

/** True where PayPal was switched off while a screen still offered it; `message` says so. */
export const isWireOnly = (error: unknown): boolean => errorCode(error) === "wire_only";

/** True where nobody knows whether the call was done: no answer, none of the portal's, or a database that was lost. */
export function isUncertain(error: unknown): boolean {
  return [undefined, "error", "unavailable"].includes(errorCode(error));
}

/** True where the portal said nothing: no answer came, or the word of a proxy that does not reach it. */
export function isUnanswered(error: unknown): boolean {
  return !(error instanceof ApiError) || (error.code === "error" && isAway(error.status));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
