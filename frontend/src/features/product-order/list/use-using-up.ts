import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "@/api/client";
import { uuid4 } from "@/domain/uuid";
import { listKeys } from "@/shared/query-keys";
import type { Reviewed } from "./pasted-message";
import { LIST_GONE, listFailure, NO_MESSAGE } from "./use-list-review";

/**
 * Uses a list in hand or a pasted message up, before its lines are put into the basket: after that nobody puts them in
 * again, in no other tab and on no other device. Says why it cannot be.
 */
export function useUsingUp() {
  const client = useQueryClient();
  // Names this dialog: it alone puts the lines into the basket, and may repeat that it does.
  const [key] = useState(uuid4);
  const use = useMutation({
    meta: { onFailure: "log" },
    mutationFn: async ({ message, review: { list } }: Reviewed) => {
      const body = { key };
      if (message) {
        const params = { path: { message } };
        unwrap(await api.POST("/basket/messages/{message}", { params, body }));
      } else if (list) {
        const params = { path: { list_uuid: list } };
        unwrap(await api.POST("/basket/lists/{list_uuid}", { params, body }));
      }
    },
    onSettled: () => void client.invalidateQueries({ queryKey: listKeys.all }),
  });
  return (reviewed: Reviewed): Promise<string | undefined> =>
    use.mutateAsync(reviewed).then(
      () => undefined,
      (error) => listFailure(error, reviewed.message ? NO_MESSAGE : LIST_GONE),
    );
}
