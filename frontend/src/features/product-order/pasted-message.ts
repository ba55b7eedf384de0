import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema.gen";
import { uuid4 } from "@/domain/uuid";
import { isoDate } from "@/shared/dates";

/** A review, under what its dialog names it, and the pasted message that it is of. */
export interface Reviewed {
  readonly review: components["schemas"]["ListReview"];
  readonly name: string;
  readonly message?: ReviewedMessage;
}

interface ReviewedMessage {
  readonly uuid: string;
  /** Names this review of it: one alone puts the lines into the basket, and may repeat that it does. */
  readonly key: string;
}

/** The review of a message that the seller's staff pasted for this buyer: whose deed it is, and when. */
export async function readPasted(uuid: string): Promise<Reviewed> {
  const params = { path: { message: uuid } };
  const review = unwrap(await api.GET("/basket/messages/{message}", { params }));
  const { pasted_by, pasted_at } = review;
  const at = `${isoDate(pasted_at)} ${pasted_at.slice(11, 16)}`;
  return {
    review,
    message: { uuid, key: uuid4() },
    name: `Your message, pasted by ${pasted_by} on ${at}`,
  };
}

/** Uses a message's link up, before its lines are put into the basket: after that nobody puts them in again. */
export function useMessageUse() {
  return useMutation({
    meta: { onFailure: "log" },
    mutationFn: async ({ uuid, key }: ReviewedMessage) => {
      const params = { path: { message: uuid } };
      unwrap(await api.POST("/basket/messages/{message}", { params, body: { key } }));
    },
  });
}
