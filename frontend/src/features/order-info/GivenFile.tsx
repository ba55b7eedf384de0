import { Paperclip, Trash2 } from "lucide-react";
import { useId, useRef } from "react";
import { useIsOnline } from "@/shared/online";
import * as texts from "@/shared/texts";
import { Button, IconButton } from "@/shared/ui/Button";
import { fileFailure, type GivenFor, useGivenFile } from "./given-files";

const ACCEPTED = ".pdf,.jpg,.jpeg,.png,application/pdf,image/jpeg,image/png";

interface GivenFileProps {
  of: GivenFor;
  invoiceCode: string;
  /** What the file is, for its button: "Attach the PO file". */
  label: string;
  file: { name: string; url: string } | null;
  /** How it stands with the file that is there. */
  note?: string | undefined;
}

/** A file that the buyer gives with an order: attached, opened, replaced and taken away in place. */
export function GivenFile({ of, invoiceCode, label, file, note }: GivenFileProps) {
  const send = useGivenFile(of, invoiceCode);
  const online = useIsOnline();
  const chooser = useRef<HTMLInputElement>(null);
  const about = useId();
  const hint = online ? "PDF, JPEG or PNG, at most 5 MB" : texts.offline;
  return (
    <div
      className="flex flex-wrap col-span-full items-center gap-10 paper:hidden
        phone:[&_:is(button,a)]:min-w-44 phone:[&_:is(button,a)]:min-h-44!"
    >
      <div
        className="flex flex-col gap-2 min-w-0 flex-[1_1_200px] phone:basis-full"
        id={about}
        role="status"
      >
        {file ? (
          <>
            <a href={file.url} className="inline-flex gap-6 items-center wrap-anywhere">
              <Paperclip className="flex-none" size={15} />
              {file.name}
            </a>
            {note && <span className="text-ink-2 text-13">{note}</span>}
          </>
        ) : (
          <span className="text-ink-2 text-13">{hint}</span>
        )}
        {send.isError && <span className="text-bad text-13">{fileFailure(send.error)}</span>}
      </div>
      <input
        ref={chooser}
        type="file"
        hidden
        accept={ACCEPTED}
        aria-label={label}
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          // The same file may be chosen again after a refusal.
          target.value = "";
          if (chosen) send.mutate(chosen);
        }}
      />
      <Button
        size="small"
        busy={send.isPending}
        disabled={!online}
        aria-describedby={about}
        onClick={() => chooser.current?.click()}
      >
        {file ? "Choose another" : label}
      </Button>
      {file && (
        <IconButton
          disabled={!online || send.isPending}
          label={`Remove ${file.name}`}
          icon={Trash2}
          onClick={() => send.mutate(null)}
        />
      )}
    </div>
  );
}
