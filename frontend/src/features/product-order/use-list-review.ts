import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { ApiError } from "@/api/errors";
import { limits } from "@/shared/limits";
import { pageTexts } from "@/shared/page-texts";
import { failureText } from "@/shared/ui/failure";

/** Sends a list to be reviewed. Nothing is ordered and nothing kept. */
export function useListReview() {
  return useMutation({
    meta: { onFailure: "log" },
    mutationFn: async (file: File) => {
      if (file.size > limits.max_list_bytes) throw new ListRefused(pageTexts.orderListTooLarge);
      const form = new FormData();
      form.append("list", file, file.name);
      // The contract knows the file as a text; the form is sent as it is.
      const body = form as unknown as { list: string };
      const call = await api.POST("/basket/review", { body, bodySerializer: () => form });
      return unwrap(call);
    },
  });
}

class ListRefused extends Error {}

/** What is wrong with the file, and what to do: the server's sentence where it has one. */
export function listFailure(error: unknown): string {
  if (error instanceof ListRefused) return error.message;
  if (error instanceof ApiError && [400, 413].includes(error.status)) {
    return Object.values(error.errors)[0]?.[0] ?? error.message;
  }
  return failureText(error);
}
