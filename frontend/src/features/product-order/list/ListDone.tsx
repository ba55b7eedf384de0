import { Download } from "lucide-react";
import { count, counted, money } from "@/domain/figures";
import { useOnChange } from "@/shared/effects";
import { saveFile } from "@/shared/save-file";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Facts } from "@/shared/ui/Facts";
import { Failure } from "@/shared/ui/Panels";
import type { OpenList } from "./list-in-hand";
import { type ListLine, readyLines, totalOf } from "./list-review";
import { useSheetBack } from "./sheet-back";

interface ListDoneProps {
  open: boolean;
  list: OpenList;
  lines: readonly ListLine[];
  onClose: () => void;
}

/** What became of a sheet, and the sheet with its answers to take away. */
export function ListDone({ open, list, lines, onClose }: ListDoneProps) {
  const sheet = useSheetBack();
  useOnChange(list, () => sheet.mutate({ list, lines }));
  const ready = readyLines(lines);
  const wished = lines.filter((line) => line.wished).length;
  const take = () => {
    if (sheet.data) saveFile(sheet.data, list.name);
    else sheet.mutate({ list, lines });
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`${counted(ready.length, "line")} ${ready.length === 1 ? "is" : "are"} in the basket`}
      subline={list.name}
      width={580}
      footer={
        <>
          <Button busy={sheet.isPending} icon={<Download />} onClick={take}>
            {sheet.error ? "Try again" : "Download your sheet"}
          </Button>
          <Button variant="primary" onClick={onClose}>
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
          { label: "Subtotal", value: money(totalOf(ready)) },
        ]}
      />
      <Failure error={sheet.error} />
      <p className="text-ink-3 text-13 mt-16">
        Your sheet comes back with columns added at the right: SKU, ordered, price, amount, why not,
        substitute, expected. Nothing else is changed. You get it again on the order, among its
        documents, after we confirm and after we pack.
      </p>
    </Dialog>
  );
}
