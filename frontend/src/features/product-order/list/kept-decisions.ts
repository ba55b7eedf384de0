/** What a buyer decides in a review, kept as he goes: in this browser at once, on the server a moment later. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { api, unwrap } from "@/api/client";
import { ApiError, isSessionEnd } from "@/api/errors";
import type { components } from "@/api/schema.gen";
import { useUser } from "@/api/session";
import { drafts } from "@/shared/drafts";
import { useArrival } from "@/shared/effects";
import { listKeys } from "@/shared/query-keys";
import { decisionsOf } from "./decisions";
import type { Decision, ListLine, ReviewedLine } from "./list-review";

/** What was decided before, and the lines whose product was chosen, each as it would be ordered now. */
export interface Decided {
  readonly decisions: readonly Decision[];
  readonly chosen: readonly ReviewedLine[];
}

const PAUSE_MS = 800;
const RETRY_MS = 5000;

/** What is decided of a list is called so among the drafts, until the server has it. */
export const draftOf = (uuid: string) => `list:${uuid}`;

/** Sends what an earlier visit decided and could not send: without a connection, or in a tab that was closed. */
export async function sendDrafted(owner: string, uuid: string): Promise<void> {
  const draft = await drafts.read<Decision[]>(owner, draftOf(uuid));
  if (draft) await send(owner, uuid, draft.value);
}

async function send(owner: string, uuid: string, decisions: readonly Decision[]): Promise<void> {
  const body: components["schemas"]["LineDecisionsRequest"] = {
    decisions: decisions as Decision[],
  };
  const params = { path: { list_uuid: uuid } };
  try {
    unwrap(await api.PUT("/basket/lists/{list_uuid}", { params, body }));
  } catch (error) {
    // What the server will never take stands in nobody's way.
    if (!(error instanceof ApiError && [400, 404, 413].includes(error.status))) throw error;
  }
  await drafts.forget(owner, draftOf(uuid));
}

/** Keeps the decisions of a review under `form`, and sends them where there is a list in hand to send them to. */
function keeperOf(owner: string, form: string, uuid: string | undefined, onSent: () => void) {
  let latest: readonly Decision[] | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let going = Promise.resolve();
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    // One after another: the last one counts.
    going = going.then(async () => {
      const decisions = latest;
      latest = undefined;
      if (!uuid || !decisions) return;
      await send(owner, uuid, decisions).catch((error: unknown) => {
        latest ??= decisions;
        if (isSessionEnd(error)) return;
        timer = setTimeout(() => void flush().then(onSent), RETRY_MS);
      });
      if (latest) await drafts.keep(owner, form, latest);
    });
    return going;
  };
  return {
    keep(decisions: readonly Decision[]) {
      latest = decisions;
      void drafts.keep(owner, form, decisions);
      clearTimeout(timer);
      timer = setTimeout(() => void flush(), PAUSE_MS);
    },
    flush,
    end() {
      clearTimeout(timer);
      latest = undefined;
      void drafts.forget(owner, form);
    },
  };
}

interface KeptReview {
  open: boolean;
  lines: readonly ListLine[];
  /** What is decided is kept under this name among the drafts; without one it is not. */
  form: string;
  /** The list in hand that it is of. */
  uuid: string | undefined;
}

/** Keeps what is decided in a review, and returns what ends that: its lines are in the basket. */
export function useKeptDecisions({ open, lines, form, uuid }: KeptReview): () => void {
  const { uuid: owner } = useUser();
  const client = useQueryClient();
  const told = () => void client.invalidateQueries({ queryKey: listKeys.all });
  const [keeper] = useState(() => keeperOf(owner, form, uuid, told));
  const [first] = useState(lines);
  useArrival(lines, () => {
    if (lines !== first && form) keeper.keep(decisionsOf(lines));
  });
  const leave = useEffectEvent(() => void keeper.flush().then(told));
  useEffect(() => (open ? () => leave() : undefined), [open]);
  return keeper.end;
}
