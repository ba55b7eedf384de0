import { HttpResponse, http, type JsonBodyType } from "msw";
import { setupServer } from "msw/node";
import type { paths } from "@/api/schema.gen";

/**
 * The fake network. A call that no test has described fails the test; only the basket, the list in hand, an order that is
 * looked at again and the portal's being there are nobody else's business.
 */
export const server = setupServer(
  http.get("*/api/basket/list", () =>
    HttpResponse.json({ success: 1, list: null, review: null, decisions: [], chosen: [] }),
  ),
  http.get("*/api/order/:status_id/:invoice_code", () =>
    HttpResponse.json({ success: 1, orderList: [], has_next: false, next: null }),
  ),
  http.get("*/api/basket", () => new HttpResponse(null, { status: 304 })),
  http.head("*/robots.txt", () => new HttpResponse()),
);

type Method = "get" | "post" | "put" | "delete";
type MethodsOf<Path extends keyof paths> = {
  [M in Method & keyof paths[Path]]: NonNullable<paths[Path][M]> extends { responses: object }
    ? M
    : never;
}[Method & keyof paths[Path]];

type JsonOf<Answer> = Answer extends { content: { "application/json": infer Body } } ? Body : never;
type Responses<Path extends keyof paths, M> = M extends keyof paths[Path]
  ? NonNullable<paths[Path][M]> extends { responses: infer R }
    ? R
    : never
  : never;
/** What the contract lets a call answer when it succeeds. */
export type AnswerOf<Path extends keyof paths, M> =
  Responses<Path, M> extends { 200: infer Ok } ? JsonOf<Ok> : never;

export interface Refusal {
  status: number;
  body?: { message: string; success?: number; code?: string; errors?: Record<string, string[]> };
}

/** A call as the portal received it. */
export interface Received {
  body: unknown;
  params: Record<string, unknown>;
  url: URL;
  headers: Headers;
}

/**
 * Answers one call of the contract from now on, and returns the list of what was received.
 *
 *     const logins = answer("post", "/login", { success: -1 });
 */
export function answer<Path extends keyof paths, M extends MethodsOf<Path>>(
  method: M,
  path: Path,
  body:
    | AnswerOf<Path, M>
    | ((received: Received) => AnswerOf<Path, M> | Promise<AnswerOf<Path, M>>),
): Received[] {
  return listen(method, path, async (received) => {
    const result =
      typeof body === "function" ? await (body as (received: Received) => unknown)(received) : body;
    return HttpResponse.json(result as JsonBodyType);
  });
}

/** Leaves a call without an answer from now on: for a screen that is looked at before its data. */
export function hang<Path extends keyof paths, M extends MethodsOf<Path>>(
  method: M,
  path: Path,
): Received[] {
  return listen(method, path, () => new Promise(() => undefined));
}

/** Refuses one call of the contract from now on; without a body the answer is not the portal's. */
export function refuse<Path extends keyof paths, M extends MethodsOf<Path>>(
  method: M,
  path: Path,
  { status, body }: Refusal,
): Received[] {
  return listen(method, path, async () =>
    body
      ? HttpResponse.json(status === 403 ? body : { success: 0, code: "invalid", ...body }, {
          status,
        })
      : new HttpResponse("<h1>Bad gateway</h1>", { status }),
  );
}

function listen(
  method: Method,
  path: string,
  respond: (received: Received) => Promise<Response>,
): Received[] {
  const calls: Received[] = [];
  const pattern = `${window.location.origin}/api${path.replace(/\{(\w+)\}/g, ":$1")}`;
  server.use(
    http[method](pattern, async ({ request, params }) => {
      const text = await request.clone().text();
      const received: Received = {
        body: request.headers.get("Content-Type")?.includes("json") ? JSON.parse(text) : undefined,
        params,
        url: new URL(request.url),
        headers: request.headers,
      };
      calls.push(received);
      return (await respond(received)) as never;
    }),
  );
  return calls;
}
