import { count } from "@/domain/units";
import { useIsOnline } from "@/shared/online";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { RetryPanel } from "@/shared/ui/Panels";
import styles from "./ListProgress.module.css";
import type { ListInHand } from "./lists-in-hand";
import { isRefusedList, LIST_GONE, listFailure } from "./use-list-review";

interface ListProgressProps {
  open: boolean;
  /** Nothing before the first answer. */
  list: ListInHand | undefined;
  /** Why it cannot be asked for. */
  error: unknown;
  onRetry: () => void;
  onClose: () => void;
}

/** How far the reading of a long list is; it goes on without anybody who looks at it. */
export function ListProgress({ open, list, error, onRetry, onClose }: ListProgressProps) {
  const isOnline = useIsOnline();
  const isFailed = error !== null && !list;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Order from a list"
      subline={list?.name}
      width={580}
      footer={
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      {isRefusedList(error) ? (
        <p role="alert">{listFailure(error, LIST_GONE)}</p>
      ) : isFailed ? (
        <RetryPanel error={error} onRetry={onRetry} />
      ) : (
        <div className={styles.progress}>
          <p>{sayingOf(list)}</p>
          <progress
            aria-label="Reading your list"
            aria-valuetext={sayingOf(list)}
            {...(list?.state === "reading" && { max: list.rows, value: list.rows_read })}
          />
          <p className={styles.leave}>
            {isOnline
              ? "You can leave this: it waits for you here."
              : "No connection. It is read all the same, and waits for you here."}
          </p>
        </div>
      )}
    </Dialog>
  );
}

function sayingOf(list: ListInHand | undefined): string {
  if (!list) return "Opening your list";
  const { state, rows, rows_read } = list;
  if (state === "waiting") return "Your list is next to be read";
  if (state === "reading") return `Reading your list: ${count(rows_read)} of ${count(rows)} rows`;
  return "Looking up the products";
}
