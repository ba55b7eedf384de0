import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { ApiError } from "@/api/errors";
import { useUser } from "@/api/session";
import { limits } from "@/shared/limits";
import { pageTexts } from "@/shared/page-texts";
import { listKeys } from "@/shared/query-keys";
import { failureText } from "@/shared/ui/failure";
import { watchList } from "./list-watch";
import { finishDrops, type ListInHand } from "./lists-in-hand";
import { NOTHING_DECIDED, type Reviewed, readPasted } from "./pasted-message";
import type { SaidColumns } from "./sheet-columns";

interface SentList {
  /** Nothing where the list is in hand already. */
  readonly file: File | undefined;
  readonly name: string;
  /** The list is called so from now on: sent again, it is the same one. */
  readonly uuid: string;
  /** What the buyer says of its columns: that is remembered. */
  readonly columns?: readonly SaidColumns[];
}

/** A list in hand whose review is still to come, or is to be opened with what was decided of it before. */
export interface Coming {
  readonly coming: ListInHand | string;
}

export const LIST_GONE = "This list is not in hand any more. Send it again.";
export const NO_MESSAGE =
  "There is no message for you at this link. Sign in with the address that had the mail.";

/** Has a list reviewed, or a message that staff pasted, by its uuid. Nothing is ordered. */
export function useListReview() {
  const { uuid: owner } = useUser();
  const client = useQueryClient();
  return useMutation({
    meta: { onFailure: "log" },
    mutationFn: (list: SentList | string) =>
      typeof list === "string" ? readPasted(owner, list) : sendList(list),
    // Whoever sent it may have closed the dialog since: it is in hand all the same.
    onSuccess: (found) => {
      void client.invalidateQueries({ queryKey: listKeys.all });
      if ("coming" in found && typeof found.coming !== "string") watchList(found.coming);
    },
  });
}

async function sendList({ file, name, uuid, columns = [] }: SentList): Promise<Reviewed | Coming> {
  if (file && file.size > limits.max_list_bytes) throw new ListRefused(pageTexts.orderListTooLarge);
  const form = new FormData();
  form.append("uuid", uuid);
  if (file) form.append("list", file, name);
  if (columns.length > 0) form.append("columns", JSON.stringify(columns));
  if (file) await finishDrops();
  // The contract knows the file as a text; the form is sent as it is.
  const body = form as unknown as { uuid: string };
  const answer = unwrap(await api.POST("/basket/review", { body, bodySerializer: () => form }));
  if (!("lines" in answer)) return { coming: answer.list };
  // Read anew by its columns, it has its decisions of before.
  if (columns.length > 0 && answer.list) return { coming: answer.list };
  return { review: answer, name, file, ...NOTHING_DECIDED };
}

class ListRefused extends Error {}

/** Whether the list was refused as it is; anything else that went wrong may work with the same list. */
export function isRefusedList(error: unknown): error is ApiError | ListRefused {
  if (error instanceof ApiError) return [400, 404, 409, 410, 413].includes(error.status);
  return error instanceof ListRefused;
}

/** What is wrong with the file, and what to do: the server's sentence where it has one. */
export function listFailure(error: unknown, gone: string): string {
  if (!isRefusedList(error)) return failureText(error);
  if (error instanceof ListRefused) return error.message;
  if (error.status === 404) return gone;
  return Object.values(error.errors)[0]?.[0] ?? error.message;
}
