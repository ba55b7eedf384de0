import { FileSpreadsheet } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { counted, shortMoment } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { useFileDrop, whenChosen } from "@/shared/files";
import * as texts from "@/shared/texts";
import { Button, Spinner } from "@/shared/ui/Button";
import { Dialog, type DialogState } from "@/shared/ui/Dialog";
import { TextAreaField } from "@/shared/ui/Field";
import type { Opened } from "./use-open-list";

const ACCEPTED = ".xlsx,.xlsm,.csv,.tsv,.txt";

interface ListFormProps extends DialogState {
  opened: Opened;
}

/** Asks for a list: a file, or a text; or leads back to the one in hand. */
export function ListForm({ opened, ...dialog }: ListFormProps) {
  const { text, busy, name, failure, retry, inHand, send, sendText } = opened;
  const [missing, setMissing] = useState(false);
  return (
    <Dialog
      {...dialog}
      title="Order from a list"
      subline="Nothing is ordered automatically: you check each line first."
      width={580}
      onSubmit={() => (text.value.trim() ? void sendText(text.value) : setMissing(true))}
      footer={
        <>
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button variant="primary" type="submit" busy={busy}>
            Check list
          </Button>
        </>
      }
    >
      <div className="grid gap-16">
        {failure && (
          <Bar role="alert" className="bg-bad-bg text-bad">
            <p>
              {name && <strong>{name}</strong>} {failure}
            </p>
            {retry && (
              <Button size="small" onClick={retry}>
                {texts.tryAgain}
              </Button>
            )}
          </Bar>
        )}
        {inHand && (
          <Bar className="bg-info-bg">
            <p>
              <strong>{inHand.name}</strong> is not in the basket yet: {counted(inHand.rows, "row")}
              , {inHand.pasted_by ? `pasted for you by ${inHand.pasted_by}` : "sent"}{" "}
              {shortMoment(new Date(inHand.sent_at))}.
            </p>
            <Button size="small" variant="soft" onClick={opened.goOn}>
              {inHand.decided > 0 ? "Continue checking" : "Check it"}
            </Button>
          </Bar>
        )}
        <Chooser
          busy={busy}
          name={name}
          onFile={(file) => {
            setMissing(false);
            void send(file);
          }}
        />
        <TextAreaField
          label="Or paste a list"
          hint="One product per line, then the quantity: AUR-SC050 20"
          rows={5}
          spellCheck={false}
          value={text.value}
          error={missing ? "Paste a list, or choose a file." : undefined}
          onChange={({ target }) => {
            text.update(() => target.value);
            setMissing(false);
          }}
        />
      </div>
    </Dialog>
  );
}

/** A text with its button. */
function Bar({ className, ...rest }: ComponentProps<"div">) {
  return (
    <div
      className={cx(
        "flex flex-wrap items-center rounded-2 wrap-anywhere gap-y-8 gap-x-14 py-10 px-14",
        "[&_p]:flex-[1_1_240px]",
        className,
      )}
      {...rest}
    />
  );
}

interface ChooserProps {
  busy: boolean;
  name: string;
  onFile: (file: File) => void;
}

function Chooser({ busy, name, onFile }: ChooserProps) {
  const { over, handlers } = useFileDrop(onFile);
  return (
    <label
      className={cx(
        "has-focus-visible:outline-2 has-focus-visible:outline-graphic has-focus-visible:outline-offset-2",
        "relative flex items-center gap-14 rounded-3 bg-surface-2",
        "cursor-pointer aria-busy:cursor-progress py-18 px-16 border border-dashed border-control",
        "hover:border-graphic hover:bg-accent-soft",
        over && "border-graphic! bg-accent-soft!",
      )}
      aria-busy={busy || undefined}
      {...handlers}
    >
      {busy ? <Spinner /> : <FileSpreadsheet className="flex-none text-accent" size={20} />}
      <span className="grid gap-2 min-w-0 wrap-anywhere">
        <strong className="font-medium" role="status">
          {busy ? `Reading ${name}` : "Choose a file, or drop it here"}
        </strong>
        <span className="text-ink-3 text-13">
          The price list with your quantities, or any .xlsx or .csv with SKUs, EANs, names or your
          own codes
        </span>
      </span>
      <input
        className="absolute inset-0 opacity-0 cursor-[inherit] text-0"
        type="file"
        accept={ACCEPTED}
        disabled={busy}
        onChange={whenChosen(onFile)}
      />
    </label>
  );
}
