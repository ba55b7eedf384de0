/** A buyer's sheet, given back with what became of each of its rows. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema.gen";
import { listKeys } from "@/shared/query-keys";
import { type ListLine, openProblems } from "./list-review";

const LEFT_OUT = "Left out by you.";
const WISHED = "You are told when it can be ordered.";

interface RowAnswer {
  rows: number[];
  sku: string;
  count: number;
  why: string;
}

/** A sheet that was reviewed: the list in hand, or the file where that could not be kept. */
export interface ReviewedSheet {
  readonly name: string;
  readonly uuid: string | undefined;
  readonly file: File | undefined;
}

/** Whether a file can be given back: a text that was pasted has no columns. */
export function canComeBack(name: string): boolean {
  return /\.(xlsx|csv|tsv)$/i.test(name);
}

/** What each line of the review became, for its rows. */
export function answersOf(lines: readonly ListLine[]): RowAnswer[] {
  return lines.map((line) => {
    const { product, rows } = line.asked;
    const open = openProblems(line);
    const ordered = product && !line.out && open.length === 0;
    return {
      rows,
      sku: product?.sku ?? "",
      count: ordered ? line.count : 0,
      why: textsOf(line.out ? leftOut(line) : ordered ? changes(line) : open),
    };
  });
}

/** Why a line is not ordered that the buyer left out. */
function leftOut({ asked, wished }: ListLine) {
  return [{ text: wished ? WISHED : LEFT_OUT }, ...asked.problems];
}

/** The problems whose fixes changed the pieces. */
function changes({ asked, count, fixed }: ListLine) {
  return count === asked.count ? [] : asked.problems.filter(({ code }) => fixed.includes(code));
}

function textsOf(problems: readonly { text: string }[]): string {
  return problems
    .map(({ text }) => text)
    .join(" ")
    .slice(0, 200);
}

export type SheetPreview = components["schemas"]["SheetPreview"];

/** Some rows of the sheet as it comes back; only one in hand is shown before it is fetched. */
export function useSheetPreview({ uuid = "" }: ReviewedSheet, lines: readonly ListLine[]) {
  return useQuery({
    queryKey: [...listKeys.one(uuid), "preview"],
    enabled: uuid !== "",
    meta: { onFailure: "log" },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const body = { uuid, answers: answersOf(lines) };
      return unwrap(await api.POST("/basket/sheet/preview", { body, signal }));
    },
  });
}

/** Sends the sheet to be kept for the order that comes of it, and returns it with its columns. */
export function useSheetBack() {
  return useMutation({
    meta: { onFailure: "log" },
    mutationFn: async ({ sheet, lines }: { sheet: ReviewedSheet; lines: readonly ListLine[] }) => {
      const { uuid, file } = sheet;
      const form = new FormData();
      if (uuid) form.append("uuid", uuid);
      else if (file) form.append("list", file, file.name);
      form.append("answers", JSON.stringify(answersOf(lines)));
      // The contract knows the file as a text; the form is sent as it is.
      const body = form as unknown as { answers: string };
      const bodySerializer = () => form;
      const call = await api.POST("/basket/sheet", { body, bodySerializer, parseAs: "blob" });
      return unwrap(call) as unknown as Blob;
    },
  });
}
