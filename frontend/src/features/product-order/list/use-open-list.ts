import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useUser } from "@/api/session";
import { useDraft } from "@/shared/drafts";
import { useOnChange } from "@/shared/effects";
import {
  isRefusedList,
  listFailure,
  listInHand,
  type OpenList,
  readList,
  type TabColumns,
  useKeptDecisions,
} from "./list-in-hand";
import { type Change, decided, type ListLine, NOTHING_DECIDED } from "./list-review";

interface DialogState {
  /** Another one for each answer, so that its screen begins anew. */
  readonly number: number;
  /** Nothing: a list is asked for. */
  readonly list?: OpenList;
  /** Its tab and columns are in sight: they are asked about, or to be changed. */
  readonly isNaming?: boolean;
  /** Its lines, once they are in the basket. */
  readonly done?: readonly ListLine[];
}

export type Opened = ReturnType<typeof useOpenList>;

/** The list that the dialog is at, from the file or text `sent` or the one in hand to its lines in the basket. */
export function useOpenList(open: boolean, sent: File | string | undefined) {
  const { uuid: owner } = useUser();
  const text = useDraft({ owner, form: "list", initial: "" });
  const inHand = useQuery({ ...listInHand(owner), enabled: open });
  const upload = useMutation({ mutationFn: readList });
  const kept = useKeptDecisions();
  const [state, show] = useState<DialogState>({ number: 0 });
  // As it is now, for an answer that comes after others were given.
  const latest = useRef<OpenList>(undefined);
  const { file } = upload.variables ?? {};
  const error = upload.error ?? inHand.error;

  const take = (list: OpenList) => {
    const hasQuestion = list.review.columns.some(({ is_read, asks }) => is_read && asks !== "");
    latest.current = list;
    show(({ number }) => ({ number: number + 1, list, isNaming: hasQuestion }));
  };
  const send = async (file: File): Promise<boolean> => {
    const review = await upload.mutateAsync({ file }).catch(() => undefined);
    if (!review) return false;
    const { list } = review;
    const decisions = inHand.data?.list.uuid === list ? inHand.data?.decided : undefined;
    take({ review, name: file.name, file, decided: decisions ?? NOTHING_DECIDED });
    return list !== null;
  };
  /** The text is a draft until the portal has it as the list in hand. */
  const sendText = async (pasted: string) => {
    const file = new File([pasted], "Pasted list.txt", { type: "text/plain" });
    if (await send(file)) text.clear();
  };
  useOnChange(text.isReady ? sent : undefined, (what) => {
    if (typeof what !== "string") return void send(what);
    const { value: current } = text;
    const all = current.includes(what) ? current : [current, what].filter(Boolean).join("\n");
    text.update(() => all);
    void sendText(all);
  });

  return {
    ...state,
    text,
    inHand: inHand.data?.list,
    goOn: () => {
      if (inHand.data) take({ ...inHand.data, name: inHand.data.list.name, file: undefined });
    },
    busy: upload.isPending,
    name: file?.name ?? "",
    failure: error ? listFailure(error) : undefined,
    /** Does the same once more; nothing where it was refused. */
    retry:
      error && !isRefusedList(error)
        ? () => void (file ? send(file) : inHand.refetch())
        : undefined,
    send,
    sendText,
    /** Has another tab read, or the same by what is said of its columns. */
    readAgain: async (from: OpenList, tab: number, columns?: TabColumns) => {
      const fileAgain = from.review.list ? undefined : from.file;
      const how = { file: fileAgain, tab, ...(columns && { columns }) };
      const review = await upload.mutateAsync(how).catch(() => undefined);
      if (!review) return;
      // Rows of another tab have the same numbers.
      const isOther = review.tab !== from.review.tab;
      if (isOther) kept.forget();
      take({ ...from, review, decided: isOther ? NOTHING_DECIDED : from.decided });
    },
    change: (changes: readonly Change[]) => {
      if (!latest.current) return;
      const list = { ...latest.current, decided: changes.reduce(decided, latest.current.decided) };
      latest.current = list;
      show((last) => ({ ...last, list }));
      kept.keep(list);
    },
    /** The list is used up: what is decided about it is kept no more. */
    endKeeping: kept.forget,
    nameColumns: () => show((last) => ({ ...last, isNaming: true })),
    again: () => {
      upload.reset();
      void inHand.refetch();
      show(({ number }) => ({ number: number + 1 }));
    },
    finish: (lines: readonly ListLine[]) => show((last) => ({ ...last, done: lines })),
  };
}
