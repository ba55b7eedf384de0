import { CircleAlert, FileSpreadsheet } from "lucide-react";
import { useId, useState } from "react";
import { cx } from "@/shared/cx";
import { texts } from "@/shared/texts";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { TextAreaField } from "@/shared/ui/Field";
import { Spinner } from "@/shared/ui/Spinner";
import { useFileDrop } from "@/shared/ui/use-file-drop";
import styles from "./ListForm.module.css";
import { pasted } from "./pasted-list";

const ACCEPTED = ".xlsx,.csv,.tsv,.txt";
const NOTHING_PASTED = "Paste a list or a message.";

interface ListFormProps {
  open: boolean;
  /** The list that was sent last is being read, or why it could not be. */
  busy: boolean;
  name: string;
  failure: string | undefined;
  /** Sends it once more; nothing where that would not help. */
  onRetry: (() => void) | undefined;
  /** What is pasted into the field so far. */
  text: string;
  onText: (text: string) => void;
  onFile: (file: File) => void;
  onClose: () => void;
}

/** Asks for a list: a file, or a text. */
export function ListForm(props: ListFormProps) {
  const { open, busy, name, failure, onRetry, text, onText, onFile, onClose } = props;
  const [missing, setMissing] = useState(false);
  const form = useId();
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
          <Button variant="primary" type="submit" form={form} busy={busy}>
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
          if (text.trim()) onFile(pasted(text));
          else setMissing(true);
        }}
      >
        {failure && (
          <p role="alert" className={styles.failure}>
            <CircleAlert size={16} strokeWidth={1.8} aria-hidden />
            <span>
              {name && <strong>{name}</strong>} {failure}
            </span>
            {onRetry && (
              <Button size="small" onClick={onRetry}>
                {texts.tryAgain}
              </Button>
            )}
          </p>
        )}
        <Chooser
          busy={busy}
          name={name}
          onFile={(file) => {
            setMissing(false);
            onFile(file);
          }}
        />
        <TextAreaField
          label="Or paste a list or a message"
          hint="Nothing is ordered by itself: you check each line first."
          rows={5}
          className={styles.paste}
          spellCheck={false}
          value={text}
          error={missing ? NOTHING_PASTED : undefined}
          onChange={(event) => {
            onText(event.target.value);
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
