import { useEffect, useRef, useState } from "react";
import { ApiError, errorCode, type Schemas } from "@/api/client";
import { upload } from "@/api/upload";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { failureText } from "@/shared/ui/failure";
import type { Certificate } from "./rules";
import { fits } from "./rules";

/** Refusals that name a fault of the file, or ask for patience. */
const EXPECTED_STATUSES = [400, 413, 429];

/** The chosen file on its way, or why it did not arrive. */
interface Sending {
  readonly file: File;
  /** 0 to 1, while it is on its way. */
  readonly share?: number;
  readonly refusal?: string;
  /** The same file may arrive when it is sent again. */
  readonly again?: boolean;
}

interface CertificateOptions {
  token: string;
  email: string;
  certificate: Certificate | undefined;
  onChange: (certificate: Certificate | undefined) => void;
  /** The link is no longer good. */
  onExpired: () => void;
}

/** The certificate: a chosen file is sent at once, and can be stopped, replaced and removed. */
export function useCertificate(options: CertificateOptions) {
  const { token, email, certificate, onChange, onExpired } = options;
  const [sending, setSending] = useState<Sending>();
  // The file of the certificate, for its preview; unknown after a reload.
  const [file, setFile] = useState<File>();
  const abort = useRef<AbortController>(undefined);
  const arrival = useRef<Promise<Certificate | undefined>>(undefined);

  useEffect(() => () => abort.current?.abort(), []);

  const refused = (picked: File, error: unknown) => {
    console.error(error);
    if (errorCode(error) === "expired") {
      setSending(undefined);
      onExpired();
      return;
    }
    const isExpected =
      error instanceof ApiError && (error.isPassing || EXPECTED_STATUSES.includes(error.status));
    setSending({
      file: picked,
      refusal: isExpected ? refusalOf(error) : texts.didNotWork,
      again: !isExpected || error.isPassing || error.status === 429,
    });
    if (!isExpected) void alert(texts.somethingWentWrong);
  };

  const send = async (picked: File, signal: AbortSignal): Promise<Certificate | undefined> => {
    const form = new FormData();
    form.set("email", email);
    form.set("token", token);
    form.set("certificate_files", picked);
    try {
      const { file_name } = await upload<Schemas["Uploaded"]>("/fileupload", form, {
        signal,
        onProgress: (share) => setSending({ file: picked, share }),
      });
      const stored = { file_name, name: picked.name, size: picked.size };
      setSending(undefined);
      setFile(picked);
      onChange(stored);
      return stored;
    } catch (error) {
      if (!signal.aborted) refused(picked, error);
      return undefined;
    }
  };

  const drop = () => {
    abort.current?.abort();
    arrival.current = undefined;
    setSending(undefined);
  };

  const choose = (picked: File) => {
    drop();
    if (!fits(picked.size)) {
      setSending({ file: picked, refusal: texts.certificateTooLarge });
      return;
    }
    abort.current = new AbortController();
    setSending({ file: picked, share: 0 });
    arrival.current = send(picked, abort.current.signal);
  };

  return {
    certificate,
    file,
    sending,
    choose,
    /** Stops what is on its way, or puts a refusal away; what had arrived before stays. */
    drop,
    remove: () => {
      drop();
      setFile(undefined);
      onChange(undefined);
    },
    /** What the form is sent with, once nothing is on its way; undefined if a file did not arrive. */
    settled: async (): Promise<{ file_name: string } | undefined> =>
      sending ? arrival.current : (certificate ?? { file_name: "" }),
  };
}

export type CertificateState = ReturnType<typeof useCertificate>;

function refusalOf(error: ApiError): string {
  if (error.status === 429) return failureText(error);
  return error.errors.certificate_files?.[0] ?? error.message;
}
