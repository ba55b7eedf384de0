import { Download, FileSpreadsheet } from "lucide-react";
import { money } from "@/domain/money";
import { count, counted } from "@/domain/units";
import { saveFile } from "@/shared/save-file";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { failureText } from "@/shared/ui/failure";
import { Failure } from "@/shared/ui/Panels";
import styles from "./ListDone.module.css";
import { type ListLine, readyLines, totalOf } from "./list-review";
import { SheetPreview } from "./SheetPreview";
import type { ReviewedSheet, useSheetBack } from "./sheet-back";

interface ListDoneProps {
  open: boolean;
  reviewed: ReviewedSheet;
  lines: readonly ListLine[];
  sheet: ReturnType<typeof useSheetBack>;
  onClose: () => void;
}

/** What became of a sheet, and the sheet with its answers to take away. */
export function ListDone({ open, reviewed, lines, sheet, onClose }: ListDoneProps) {
  const ready = readyLines(lines);
  const wished = lines.filter((line) => line.wished).length;
  const figures = [
    ["In the basket", count(ready.length)],
    ["Wished for", count(wished)],
    ["Left out", count(lines.length - ready.length - wished)],
    ["Subtotal", money(totalOf(ready))],
  ];
  const take = () => {
    if (sheet.data) saveFile(sheet.data, reviewed.name);
    else sheet.mutate({ sheet: reviewed, lines });
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`${counted(ready.length, "line")} ${ready.length === 1 ? "is" : "are"} in the basket`}
      subline={reviewed.name}
      width={900}
      footer={
        <Button variant="outline" onClick={onClose}>
          To the basket
        </Button>
      }
    >
      <dl className={styles.figures}>
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
      <Failure text={sheet.error ? failureText(sheet.error) : undefined} />
      <div className={styles.back}>
        <span className={styles.picture}>
          <FileSpreadsheet size={20} strokeWidth={1.8} aria-hidden />
        </span>
        <p>
          <strong>Give me my sheet back</strong>
          <span>
            The same file with columns added at the right: SKU, ordered, price, amount, why not,
            substitute, expected. Nothing else is changed.
          </span>
        </p>
        <Button
          variant="primary"
          busy={sheet.isPending}
          icon={<Download size={16} strokeWidth={1.8} aria-hidden />}
          onClick={take}
        >
          {sheet.error ? "Try again" : "Download"}
        </Button>
      </div>
      <SheetPreview sheet={reviewed} lines={lines} />
      <p className={styles.note}>
        You get it again on the order, among its documents, after we confirm and after we pack.
      </p>
    </Dialog>
  );
}
