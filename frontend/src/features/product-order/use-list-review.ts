import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { ApiError } from "@/api/errors";
import { limits } from "@/shared/limits";
import { pageTexts } from "@/shared/page-texts";
import { failureText } from "@/shared/ui/failure";
import { type Reviewed, readPasted } from "./pasted-message";
import type { SaidColumns } from "./sheet-columns";

interface SentList {
  readonly file: File;
  /** What the buyer says of its columns: that is remembered. */
  readonly columns?: readonly SaidColumns[];
}

const NO_MESSAGE =
  "There is no message for you at this link. Sign in with the address that had the mail.";

/** Has a list reviewed, or a message that staff pasted, by its uuid. Nothing is ordered. */
export function useListReview() {
  return useMutation({
    meta: { onFailure: "log" },
    mutationFn: async (list: SentList | string): Promise<Reviewed> => {
      if (typeof list === "string") return readPasted(list);
      const { file, columns = [] } = list;
      if (file.size > limits.max_list_bytes) throw new ListRefused(pageTexts.orderListTooLarge);
      const form = new FormData();
      form.append("list", file, file.name);
      if (columns.length > 0) form.append("columns", JSON.stringify(columns));
      // The contract knows the file as a text; the form is sent as it is.
      const body = form as unknown as { list: string };
      const call = await api.POST("/basket/review", { body, bodySerializer: () => form });
      return { review: unwrap(call), name: file.name };
    },
  });
}

class ListRefused extends Error {}

/** What is wrong with the file, and what to do: the server's sentence where it has one. */
export function listFailure(error: unknown): string {
  if (error instanceof ListRefused) return error.message;
  if (error instanceof ApiError && error.status === 404) return NO_MESSAGE;
  if (error instanceof ApiError && [400, 410, 413].includes(error.status)) {
    return Object.values(error.errors)[0]?.[0] ?? error.message;
  }
  return failureText(error);
}
