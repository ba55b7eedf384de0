import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { Paperclip, Trash2 } from "lucide-react";
import { useId, useRef } from "react";
import { ApiError, api, unwrap } from "@/api/client";
import { PAPERS, PAPERS_HINT, whenChosen } from "@/shared/files";
import { limits } from "@/shared/limits";
import { useIsOnline } from "@/shared/online";
import { orderKeys } from "@/shared/query-keys";
import * as texts from "@/shared/texts";
import { Button, IconButton } from "@/shared/ui/Button";
import { failureText } from "@/shared/ui/failure";

interface GivenFileProps {
  of: GivenFor;
  invoiceCode: string;
  /** What the file is, for its button: "Attach the PO file". */
  label: string;
  file: { name: string; url: string } | null;
  note?: string | undefined;
}

/** A file that the buyer gives with an order: attached, opened, replaced and taken away in place. */
export function GivenFile({ of, invoiceCode, label, file, note }: GivenFileProps) {
  const send = useGivenFile(of, invoiceCode);
  const online = useIsOnline();
  const chooser = useRef<HTMLInputElement>(null);
  const about = useId();
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
          <span className="text-ink-2 text-13">{online ? PAPERS_HINT : texts.offline}</span>
        )}
        {send.isError && <span className="text-bad text-13">{fileFailure(send.error)}</span>}
      </div>
      <input
        ref={chooser}
        type="file"
        hidden
        accept={PAPERS}
        aria-label={label}
        onChange={whenChosen(send.mutate)}
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

/** What a file is given for: the buyer's own order, or the wire that he announced. */
type GivenFor = "po-file" | "wire-proof";

/** GET /order/wire: the announced wire of an order, with its proof. */
export const announcedWire = (invoiceCode: string) =>
  queryOptions({
    queryKey: orderKeys.wire(invoiceCode),
    queryFn: async ({ signal }) => {
      const params = { path: { invoice_code: invoiceCode } };
      return unwrap(await api.GET("/order/wire/{invoice_code}", { params, signal })).wire;
    },
  });

/** Sends a file for an order in place of the one before; null takes it away. */
function useGivenFile(of: GivenFor, invoiceCode: string) {
  const client = useQueryClient();
  const queryKey = of === "po-file" ? orderKeys.details(invoiceCode) : orderKeys.wire(invoiceCode);
  return useMutation({
    mutationFn: async (file: File | null) => {
      const params = { path: { invoice_code: invoiceCode } };
      const path = `/order/${of}/{invoice_code}` as const;
      if (!file) return void unwrap(await api.DELETE(path, { params }));
      if (file.size > limits.max_buyer_file_bytes) {
        throw new ApiError(413, { message: texts.fileTooLarge });
      }
      const form = new FormData();
      form.append("file", file, file.name);
      // The contract knows the file as a text; the form is sent as it is.
      const body = form as unknown as { file: string };
      unwrap(await api.POST(path, { params, body, bodySerializer: () => form }));
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

/** What is wrong with a file, and what to do: the server's sentence where it has one. */
function fileFailure(error: unknown): string {
  if (error instanceof ApiError && [400, 413].includes(error.status)) {
    return Object.values(error.errors)[0]?.[0] ?? error.message;
  }
  return failureText(error);
}
