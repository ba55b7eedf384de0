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
export function isSessionEnd(error: unknown): boolean {
  return error instanceof SessionEnded;
}

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

/** True where the same call may work in a moment. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && error.isPassing;
}

/** True where PayPal was switched off while a screen still offered it; `message` says so. */
export function isWireOnly(error: unknown): boolean {
  return errorCode(error) === "wire_only";
}

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

/** Whether a status is a proxy's word that the portal behind it cannot be reached (deploy/Caddyfile). */
export const isAway = (status: number) => [502, 503, 504].includes(status);
