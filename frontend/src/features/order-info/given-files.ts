import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { ApiError } from "@/api/errors";
import { limits } from "@/shared/limits";
import { orderKeys } from "@/shared/query-keys";
import * as texts from "@/shared/texts";
import { failureText } from "@/shared/ui/failure";

/** What a file is given for: the buyer's own order, or the wire that he announced. */
export type GivenFor = "po-file" | "wire-proof";

/** GET /order/wire: the announced wire of an order, with its proof. */
export const announcedWire = (invoiceCode: string) =>
  queryOptions({
    queryKey: orderKeys.wire(invoiceCode),
    queryFn: async ({ signal }) => {
      const params = { path: { invoice_code: invoiceCode } };
      return unwrap(await api.GET("/order/wire/{invoice_code}", { params, signal })).wire;
    },
  });

class FileRefused extends Error {}

/** Sends a file for an order in place of the one before; null takes it away. */
export function useGivenFile(of: GivenFor, invoiceCode: string) {
  const client = useQueryClient();
  const queryKey = of === "po-file" ? orderKeys.details(invoiceCode) : orderKeys.wire(invoiceCode);
  return useMutation({
    mutationFn: async (file: File | null) => {
      const params = { path: { invoice_code: invoiceCode } };
      const path = `/order/${of}/{invoice_code}` as const;
      if (!file) return void unwrap(await api.DELETE(path, { params }));
      if (file.size > limits.max_buyer_file_bytes) throw new FileRefused(texts.fileTooLarge);
      const form = new FormData();
      form.append("file", file, file.name);
      // The contract knows the file as a text; the form is sent as it is.
      const body = form as unknown as { file: string };
      unwrap(await api.POST(path, { params, body, bodySerializer: () => form }));
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

/** What is wrong with a file, and what to do: the server's sentence where it has one. */
export function fileFailure(error: unknown): string {
  if (error instanceof FileRefused) return error.message;
  if (error instanceof ApiError && [400, 413].includes(error.status)) {
    return Object.values(error.errors)[0]?.[0] ?? error.message;
  }
  return failureText(error);
}
