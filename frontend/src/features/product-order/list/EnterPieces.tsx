import { useState } from "react";
import { count as figure } from "@/domain/units";
import { Button } from "@/shared/ui/Button";
import { Checkbox } from "@/shared/ui/Checkbox";
import { failureText } from "@/shared/ui/failure";
import styles from "./EnterPieces.module.css";
import type { ListLine, ReviewedLine } from "./list-review";
import { useLearnCode } from "./own-codes";

const FEW_DIGITS = 6;

interface EnterPiecesProps {
  name: string;
  line: ListLine;
  /** Told the line as it would be ordered with these pieces. */
  onEntered: (reviewed: ReviewedLine) => void;
}

/**
 * Says how many pieces somebody's words mean; whether they can be ordered the server tells. Of cartons it is kept how
 * many pieces one holds, unless the buyer says not to.
 */
export function EnterPieces({ name, line, onEntered }: EnterPiecesProps) {
  const [pieces, setPieces] = useState("");
  const review = useLearnCode();
  const [remember, setRemember] = useState(true);
  const count = Number(pieces);
  const { row, product, packs, unit } = line.asked;
  const inOne = packs > 0 && count % packs === 0 ? count / packs : 0;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!product || !count || review.isPending) return;
        const { sku } = product;
        const keep = remember && inOne > 0;
        review.mutate(
          { code: sku, sku, row, count, remember: keep, packs, unit },
          { onSuccess: onEntered },
        );
      }}
    >
      <input
        aria-label={`Pieces of ${name}`}
        placeholder="Pieces"
        inputMode="numeric"
        autoComplete="off"
        maxLength={FEW_DIGITS}
        value={pieces}
        onChange={({ target }) => setPieces(target.value.replace(/\D/g, ""))}
      />
      <Button size="small" variant="soft" type="submit" busy={review.isPending} disabled={!count}>
        Enter it
      </Button>
      {inOne > 0 && (
        <Checkbox checked={remember} onChange={({ target }) => setRemember(target.checked)}>
          Remember {figure(inOne)} in a {unit}
        </Checkbox>
      )}
      <span role="status">{review.isError && failureText(review.error)}</span>
    </form>
  );
}
