/** The buyer's one list in hand: sent, read, decided about and used up, on whatever device. */
import { queryOptions, useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { ApiError, api, type Schemas, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { count } from "@/domain/figures";
import { drafts, inTime } from "@/shared/drafts";
import { limits } from "@/shared/limits";
import * as texts from "@/shared/texts";
import { failureText } from "@/shared/ui/failure";
import type { Decided } from "./list-review";

export type Review = Schemas["ListReview"];

export type SheetTab = Schemas["SheetColumns"];

/** What is sent for a tab; `decimal` is the mark before the decimals, where its numbers can be read in two ways. */
export type TabColumns = Readonly<Pick<SheetTab, "tab" | "head" | "kinds" | "carton">> & {
  readonly decimal: "" | "." | ",";
};

/** A list that was read, with what is decided about its lines. */
export interface OpenList {
  readonly review: Review;
  readonly name: string;
  /** Nothing where it was in hand before. */
  readonly file: File | undefined;
  readonly decided: Decided;
}

/** The list's name, the one whose place it took, and which of its tabs is read. */
export function sublineOf({ name, review: { columns, replaced } }: OpenList): string {
  const tab = columns.length > 1 ? columns.find(({ is_read }) => is_read) : undefined;
  const place = replaced ? `, in place of ${replaced.name}` : "";
  return `${name}${place}${tab ? ` · tab “${tab.name}” of ${count(columns.length)}` : ""}`;
}

interface ListUpload {
  /** Nothing: the list in hand, read again. */
  readonly file?: File | undefined;
  readonly tab?: number;
  /** What the buyer says of the tab's columns: it is remembered. */
  readonly columns?: TabColumns;
}

type UnsentDecisions = Schemas["LineDecisionsRequest"];

const PAUSE_MS = 600;
/** The drafts' name for what is decided, until the server has it. */
const UNSENT = "list-decisions";
const CLOSED = "This list is no longer open. Send it again.";

/** The list in hand as it would be ordered now; nothing where there is none. */
export const listInHand = (owner: string) =>
  queryOptions({
    queryKey: ["list"],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      // Decided on an earlier visit, without a connection or just before the page was left.
      const unsent = await inTime(drafts.read<UnsentDecisions>(owner, UNSENT));
      if (unsent) await sendDecisions(unsent.value).then(() => drafts.forget(owner, UNSENT));
      const { list, review, decisions, chosen } = unwrap(await api.GET("/basket/list", { signal }));
      if (!list || !review) return null;
      return {
        list,
        review,
        decided: { decisions: byRow(decisions), chosen: byRow(chosen) },
      };
    },
  });

function byRow<One extends { row: number }>(all: readonly One[]): Readonly<Record<number, One>> {
  return Object.fromEntries(all.map((one) => [one.row, one]));
}

async function sendDecisions(body: UnsentDecisions): Promise<void> {
  try {
    unwrap(await api.PUT("/basket/list", { body }));
  } catch (error) {
    // What the server will never take stands in nobody's way.
    if (!isRefusedList(error)) throw error;
  }
}

/** POST /basket/review: the list with its problems. Nothing is ordered. */
export async function readList({ file, tab, columns }: ListUpload): Promise<Review> {
  if (file && file.size > limits.max_list_bytes)
    throw new ApiError(413, { message: texts.orderListTooLarge });
  const form = new FormData();
  if (file) form.append("list", file, file.name);
  if (tab !== undefined) form.append("tab", String(tab));
  if (columns) form.append("columns", JSON.stringify([columns]));
  // The contract knows the file as a text; the form is sent as it is.
  return unwrap(await api.POST("/basket/review", { body: {}, bodySerializer: () => form }));
}

/** Whether the list was refused as it is; anything else that went wrong may work with the same list. */
export function isRefusedList(error: unknown): error is ApiError {
  return error instanceof ApiError && [400, 404, 409, 410, 413].includes(error.status);
}

/** What is wrong with the list: the server's sentence where it has one. */
export function listFailure(error: unknown): string {
  if (!isRefusedList(error)) return failureText(error);
  if (error.status === 404) return CLOSED;
  return Object.values(error.errors)[0]?.[0] ?? error.message;
}

/** Keeps what is decided about a list: here at once, on the server a moment later. */
export function useKeptDecisions() {
  const { uuid: owner } = useUser();
  const unsent = useRef<UnsentDecisions>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { mutate } = useMutation({
    // One after another: the last one counts.
    scope: { id: UNSENT },
    mutationFn: sendDecisions,
    // What was decided meanwhile is sent next, and stays until the server has it.
    onSuccess: (_, body) => {
      if (unsent.current === body) void drafts.forget(owner, UNSENT);
    },
  });
  return {
    keep: ({ review: { list: uuid }, decided: { decisions } }: OpenList) => {
      if (!uuid) return;
      const body = { uuid, decisions: Object.values(decisions) };
      unsent.current = body;
      void drafts.keep(owner, UNSENT, body);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => mutate(body), PAUSE_MS);
    },
    /** What was decided and not sent counts no more: the list is used up, or another tab of it is read. */
    forget: () => {
      clearTimeout(timer.current);
      void drafts.forget(owner, UNSENT);
    },
  };
}
