import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema.gen";
import { momentHere } from "@/shared/dates";
import { drafts } from "@/shared/drafts";
import type { Decided } from "./kept-decisions";
import type { Decision } from "./list-review";

/** A review, under what its dialog names it, with what was decided before, and the file or the message, by its uuid, it is of. */
export interface Reviewed extends Decided {
  readonly review: components["schemas"]["ListReview"];
  readonly name: string;
  readonly message?: string;
  readonly file?: File | undefined;
}

export const NOTHING_DECIDED: Decided = { decisions: [], chosen: [] };

/** What is decided of a pasted message is called so among the drafts: it stays in this browser. */
export const draftOfMessage = (uuid: string) => `pasted:${uuid}`;

/** The review of a message that the seller's staff pasted for this buyer: whose deed it is, and when. */
export async function readPasted(owner: string, uuid: string): Promise<Reviewed> {
  const params = { path: { message: uuid } };
  const review = unwrap(await api.GET("/basket/messages/{message}", { params }));
  const { pasted_by, pasted_at } = review;
  return {
    review,
    ...(await decidedBefore(owner, uuid)),
    message: uuid,
    name: `Your message, pasted by ${pasted_by} on ${momentHere(pasted_at)}`,
  };
}

async function decidedBefore(owner: string, uuid: string): Promise<Decided> {
  const decisions = (await drafts.read<Decision[]>(owner, draftOfMessage(uuid)))?.value ?? [];
  const asked = decisions.filter(({ sku }) => sku !== "");
  const lines = asked.map(async ({ row, sku, count }) => {
    const body = { code: sku, sku, row, count, remember: false, packs: 0, unit: "" };
    return unwrap(await api.POST("/account/own-codes", { body })).line;
  });
  const chosen = await Promise.allSettled(lines);
  return {
    decisions,
    chosen: chosen.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])),
  };
}
