import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useUser } from "@/api/session";
import { uuid4 } from "@/domain/uuid";
import { useArrival } from "@/shared/effects";
import { dropList, openedList } from "./lists-in-hand";
import type { Reviewed } from "./pasted-message";
import type { SaidColumns } from "./sheet-columns";
import {
  type Coming,
  isRefusedList,
  LIST_GONE,
  listFailure,
  NO_MESSAGE,
  useListReview,
} from "./use-list-review";

/** What the dialog begins with. */
export interface Begun {
  open: boolean;
  /** What was dropped or pasted on the page; without it the dialog asks for a list. */
  list: File | undefined;
  /** The message that the seller's staff pasted, where a link to it was opened. */
  message: string | undefined;
  /** The list in hand that is opened again. */
  inHand: string | undefined;
  /** Told which list in hand the dialog is at, and that it is at none any more. */
  onInHand: (uuid: string | undefined) => void;
}

interface Answer {
  /** Another one for each answer, so that its review begins anew. */
  readonly number: number;
  readonly reviewed: Reviewed;
}

/** A list on its way: sent, read, its review or why there is none. */
export function useSentList({ open, list, message, inHand, onInHand }: Begun) {
  const { uuid: owner } = useUser();
  const client = useQueryClient();
  const review = useListReview();
  const [name, setName] = useState("");
  const [coming, setComing] = useState(inHand);
  const [remark, setRemark] = useState<string>();
  const [answer, setAnswer] = useState<Answer>();
  const isComing = coming !== undefined;
  const { variables: sent, error } = review;
  const gone = typeof sent === "string" ? NO_MESSAGE : LIST_GONE;
  const opened = useQuery({ ...openedList(owner, coming ?? ""), enabled: open && isComing });

  const drop = (uuid: string) => void dropList(client, owner, uuid).catch(() => undefined);
  const arrived = (reviewed: Reviewed, failed?: string) => {
    setComing(undefined);
    setRemark(failed);
    setAnswer((last) => ({ number: (last?.number ?? 0) + 1, reviewed }));
  };
  const take = (found: Reviewed | Coming) => {
    if ("coming" in found) {
      const { coming: next } = found;
      const uuid = typeof next === "string" ? next : next.uuid;
      setAnswer(undefined);
      setComing(uuid);
      return onInHand(uuid);
    }
    arrived(found);
    if (found.review.list) onInHand(found.review.list);
  };
  const send = (file: File) => {
    setRemark(undefined);
    setName(file.name);
    review.mutate({ file, name: file.name, uuid: uuid4() }, { onSuccess: take });
  };
  // Once closed it stays closed: what was sent is among the lists in hand when it arrives.
  useArrival(open, (isOpen) => {
    if (!isOpen) review.reset();
  });
  useLeaveWarning(review.isPending && typeof sent !== "string");
  useArrival(list, send);
  useArrival(message, (uuid) => review.mutate(uuid, { onSuccess: take }));
  useArrival(open && isComing ? opened.data : undefined, ({ list: read, ...found }) => {
    if (found.review) {
      return arrived({ ...found, review: found.review, name: read.name }, read.remark || undefined);
    }
    if (read.state !== "refused") return;
    drop(read.uuid);
    onInHand(undefined);
    setName(read.name);
    setRemark(read.remark);
    setComing(undefined);
  });

  return {
    /** Its review is still to come; `opened` says how far it is. */
    isComing,
    opened: {
      list: opened.data?.list,
      error: opened.error,
      onRetry: () => void opened.refetch(),
    },
    answer,
    name,
    busy: review.isPending,
    failure: error ? listFailure(error, gone) : remark,
    /** Sends the same once more, under the same name; nothing where it was refused. */
    onRetry:
      error && sent && !isRefusedList(error)
        ? () => review.mutate(sent, { onSuccess: take })
        : undefined,
    send,
    /** Has it read anew, as is said of its columns. */
    say: ({ name: of, review: { list: uuid }, file }: Reviewed, columns: SaidColumns[]) => {
      const again = uuid ? { file: undefined, uuid } : { file, uuid: uuid4() };
      review.mutate({ ...again, name: of, columns }, { onSuccess: take });
    },
    /** Begins with another one. */
    again: () => {
      setAnswer(undefined);
      setRemark(undefined);
      review.reset();
    },
    drop,
  };
}

/** Has the browser ask before the page is left: what is still being sent would be lost. */
function useLeaveWarning(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isOn]);
}
