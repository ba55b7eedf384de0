import { CircleAlert, FileSpreadsheet } from "lucide-react";
import { useId, useState } from "react";
import { counted } from "@/domain/units";
import { cx } from "@/shared/cx";
import { useArrival } from "@/shared/effects";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { TextAreaField } from "@/shared/ui/Field";
import { Spinner } from "@/shared/ui/Spinner";
import { toast } from "@/shared/ui/toasts";
import { useFileDrop } from "@/shared/ui/use-file-drop";
import { ListAnswer } from "./ListAnswer";
import styles from "./ListDialog.module.css";
import { ListDone } from "./ListDone";
import { type ListLine, readyLines } from "./list-review";
import { pasted } from "./pasted-list";
import { type Reviewed, useMessageUse } from "./pasted-message";
import { canComeBack, useSheetBack } from "./sheet-back";
import { listFailure, useListReview } from "./use-list-review";

interface Answer {
  /** Another one for each answer, so that its review begins anew. */
  readonly number: number;
  readonly reviewed: Reviewed;
}

const ACCEPTED = ".xlsx,.csv,.tsv,.txt";
const NOTHING_PASTED = "Paste a list or a message.";

interface ListDialogProps {
  open: boolean;
  /** What was dropped or pasted on the page; without it the dialog asks for a list. */
  list: File | undefined;
  /** The message that the seller's staff pasted, where a link to it was opened. */
  message: string | undefined;
  onClose: () => void;
  onPut: () => void;
}

/** From a list to the basket: choose it, see its problems, put the lines into the basket. */
export default function ListDialog({ open, list, message, onClose, onPut }: ListDialogProps) {
  const review = useListReview();
  const use = useMessageUse();
  const sheet = useSheetBack();
  const [sent, setSent] = useState<File>();
  const [done, setDone] = useState<readonly ListLine[]>();
  const name = sent?.name ?? "";
  const [text, setText] = useState("");
  const [missing, setMissing] = useState(false);
  const [answer, setAnswer] = useState<Answer>();
  const form = useId();

  const arrived = (reviewed: Reviewed) =>
    setAnswer((last) => ({ number: (last?.number ?? 0) + 1, reviewed }));
  const send = (file: File) => {
    setMissing(false);
    setSent(file);
    review.mutate({ file }, { onSuccess: arrived });
  };
  useArrival(list, send);
  useArrival(message, (uuid) => review.mutate(uuid, { onSuccess: arrived }));

  const close = () => {
    onClose();
    onPut();
  };
  // On a phone the way to the basket takes the dialog away: first the sheet, then the basket.
  const finish = (lines: readonly ListLine[]) => {
    if (!sent || !canComeBack(sent)) {
      toast(`${counted(readyLines(lines).length, "product")} put into the basket`);
      return close();
    }
    sheet.mutate({ file: sent, lines });
    setDone(lines);
  };

  if (sent && done) {
    return <ListDone open={open} file={sent} lines={done} sheet={sheet} onClose={close} />;
  }
  const failure = review.error ? listFailure(review.error) : undefined;
  const again = () => {
    setAnswer(undefined);
    review.reset();
  };
  if (answer) {
    const { message } = answer.reviewed;
    return (
      <ListAnswer
        key={answer.number}
        open={open}
        review={answer.reviewed.review}
        name={answer.reviewed.name}
        busy={review.isPending}
        failure={failure}
        onSaid={(columns) => sent && review.mutate({ file: sent, columns }, { onSuccess: arrived })}
        onAgain={again}
        onClose={onClose}
        onUse={message && (() => use.mutateAsync(message))}
        onPut={finish}
      />
    );
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Order from a list"
      subline="A sheet, a list or a message"
      width={580}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} busy={review.isPending}>
            Read it
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) send(pasted(text));
          else setMissing(true);
        }}
      >
        {failure && (
          <p role="alert" className={styles.failure}>
            <CircleAlert size={16} strokeWidth={1.8} aria-hidden />
            <span>
              {name && <strong>{name}</strong>} {failure}
            </span>
          </p>
        )}
        <Chooser busy={review.isPending} name={name} onFile={send} />
        <TextAreaField
          label="Or paste a list or a message"
          hint="Nothing is ordered by itself: you check each line first."
          rows={5}
          className={styles.paste}
          spellCheck={false}
          value={text}
          error={missing ? NOTHING_PASTED : undefined}
          onChange={(event) => {
            setText(event.target.value);
            setMissing(false);
          }}
        />
      </form>
    </Dialog>
  );
}

function Chooser({
  busy,
  name,
  onFile,
}: {
  busy: boolean;
  name: string;
  onFile: (file: File) => void;
}) {
  const { over, handlers } = useFileDrop(onFile);
  const reading = `Reading ${name || "your message"}`;
  return (
    <label
      className={cx(styles.chooser, over && styles.over)}
      aria-busy={busy || undefined}
      {...handlers}
    >
      <span className={styles.picture}>
        {busy ? <Spinner /> : <FileSpreadsheet size={20} strokeWidth={1.8} aria-hidden />}
      </span>
      <span className={styles.about}>
        <strong>{busy ? reading : "Choose a file, or drop it here"}</strong>
        <span>
          The price list with your quantities, or any .xlsx or .csv with SKUs, EANs, names or your
          own codes
        </span>
      </span>
      <input
        type="file"
        accept={ACCEPTED}
        disabled={busy}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file may be chosen again after a refusal.
          target.value = "";
          if (file) onFile(file);
        }}
      />
      <span role="status" className="visually-hidden">
        {busy ? reading : ""}
      </span>
    </label>
  );
}
