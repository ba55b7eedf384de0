import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { api, unwrap } from "@/api/client";
import { count, counted, money } from "@/domain/figures";
import { useOnChange } from "@/shared/effects";
import { saveFile } from "@/shared/files";
import { Button } from "@/shared/ui/Button";
import { Dialog, type DialogState } from "@/shared/ui/Dialog";
import { Facts } from "@/shared/ui/Facts";
import { TextAreaField } from "@/shared/ui/Field";
import { Failure } from "@/shared/ui/Panels";
import { subtotal } from "../rules";
import type { OpenList } from "./list-in-hand";
import { isOpen, type ListLine, readyLines, rowsName } from "./list-review";

interface ListDoneProps extends DialogState {
  list: OpenList;
  lines: readonly ListLine[];
}

/** What became of a list: the sheet with its answers to take away, or the rows of a text that nobody decided about. */
export function ListDone({ list, lines, ...dialog }: ListDoneProps) {
  // What became of the sheet's rows is kept for the order that comes of it, and comes back as columns.
  const sheet = useMutation({
    mutationFn: async () => {
      const { review, file } = list;
      const form = new FormData();
      if (review.list) form.append("uuid", review.list);
      else if (file) form.append("list", file, file.name);
      form.append("answers", JSON.stringify(answersOf(lines)));
      // The contract knows the file as a text; the form is sent as it is.
      const body = form as unknown as { answers: string };
      const bodySerializer = () => form;
      const call = await api.POST("/basket/sheet", { body, bodySerializer, parseAs: "blob" });
      return unwrap(call) as unknown as Blob;
    },
  });
  const isSheet = canComeBack(list.name);
  useOnChange(isSheet ? list : undefined, () => sheet.mutate());
  const ready = readyLines(lines);
  const wished = lines.filter((line) => line.wished).length;
  const take = () => {
    if (sheet.data) saveFile(sheet.data, list.name);
    else sheet.mutate();
  };
  return (
    <Dialog
      {...dialog}
      title={`${counted(ready.length, "line")} ${ready.length === 1 ? "is" : "are"} in the basket`}
      subline={list.name}
      width={580}
      footer={
        <>
          {isSheet && (
            <Button busy={sheet.isPending} icon={<Download />} onClick={take}>
              {sheet.error ? "Try again" : "Download your sheet"}
            </Button>
          )}
          <Button variant="primary" onClick={dialog.onClose}>
            To the basket
          </Button>
        </>
      }
    >
      <Facts
        layout="spread"
        facts={[
          { label: "In the basket", value: count(ready.length) },
          { label: "On your waiting list", value: count(wished) },
          { label: "Skipped", value: count(lines.length - ready.length - wished) },
          { label: "Subtotal", value: money(subtotal(ready)) },
        ]}
      />
      <Failure error={sheet.error} />
      {isSheet ? (
        <p className="text-ink-3 text-13 mt-16">
          Your sheet comes back with columns added at the right: SKU, ordered, price, amount, why
          not, substitute, expected. Nothing else is changed. You get it again on the order, among
          its documents, after we confirm and after we pack.
        </p>
      ) : (
        <TextAreaField
          className="mt-16"
          label="Not in the basket"
          rows={6}
          readOnly
          value={lines.filter(isOpen).map(rowText).join("\n")}
        />
      )}
    </Dialog>
  );
}

/** A row as it stood there, and why nobody could take it as it is. */
function rowText({ asked, sku }: ListLine): string {
  const { rows, words, product, problems } = asked;
  const why = problems.map(({ text }) => text).join(" ");
  return `${rowsName(rows)}: ${words || product?.eng_name || sku} – ${why}`;
}

/** Whether a file can be given back: a text that was pasted has no columns. */
export const canComeBack = (name: string): boolean => /\.(xlsx|csv|tsv)$/i.test(name);

/** What each line of the review became, for its rows. */
function answersOf(lines: readonly ListLine[]) {
  return lines.map((line) => {
    const { product, rows } = line.asked;
    const isOrdered = !line.out && !isOpen(line);
    return {
      rows,
      sku: product?.sku ?? "",
      count: isOrdered ? line.count : 0,
      why: whyNot(line, isOrdered).join(" ").slice(0, 200),
    };
  });
}

/** Why a row does not get what it asks for: the problems it has, or those that changed its pieces. */
function whyNot({ asked, count, fixed, out, wished }: ListLine, isOrdered: boolean): string[] {
  const texts = asked.problems.map(({ text }) => text);
  if (out) return [wished ? "We notify you when it is available." : "Skipped by you.", ...texts];
  const problems = asked.problems.filter(({ code }) => fixed.includes(code) === isOrdered);
  return isOrdered && count === asked.count ? [] : problems.map(({ text }) => text);
}
