import { useState } from "react";
import { count as figure } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { Button } from "@/shared/ui/Button";
import { Checkbox } from "@/shared/ui/Field";
import { failureText } from "@/shared/ui/failure";
import styles from "./ListRow.module.css";
import type { ListLine, ReviewedLine } from "./list-review";
import { useLearnCode } from "./own-codes";

interface EnterPiecesProps {
  name: string;
  line: ListLine;
  /** Told the line as it would be ordered with these pieces. */
  onEntered: (field: HTMLElement, reviewed: ReviewedLine) => void;
}

/**
 * Asks how many pieces a row means; whether they can be ordered the server tells. Of cartons it is remembered how many
 * pieces one holds, unless the buyer says not to.
 */
export function EnterPieces({ name, line, onEntered }: EnterPiecesProps) {
  const [pieces, setPieces] = useState("");
  const [remember, setRemember] = useState(true);
  const learn = useLearnCode();
  const count = Number(pieces);
  const { row, product, packs, unit } = line.asked;
  const inOne = packs > 0 && count % packs === 0 ? count / packs : 0;
  return (
    <form
      className={cx(styles.pieces, "flex flex-wrap items-center justify-end gap-y-8 gap-x-10")}
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.querySelector("input");
        if (!field || !product || !count || learn.isPending) return;
        const { sku } = product;
        learn.mutate(
          { code: sku, sku, row, count, remember: remember && inOne > 0, packs, unit },
          { onSuccess: (reviewed) => onEntered(field, reviewed) },
        );
      }}
    >
      <input
        aria-label={`Pieces of ${name}`}
        placeholder="Pieces"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={pieces}
        onChange={({ target }) => setPieces(target.value.replace(/\D/g, ""))}
      />
      <Button size="small" variant="soft" type="submit" busy={learn.isPending} disabled={!count}>
        Apply
      </Button>
      {inOne > 0 && (
        <Checkbox checked={remember} onChange={({ target }) => setRemember(target.checked)}>
          Remember {figure(inOne)} in a {unit}
        </Checkbox>
      )}
      <span role="status" className="text-bad text-13">
        {learn.isError && failureText(learn.error)}
      </span>
    </form>
  );
}
