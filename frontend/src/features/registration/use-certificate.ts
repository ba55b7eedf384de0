import { useMutation } from "@tanstack/react-query";
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
  const [share, setShare] = useState(0);
  // The file of the certificate, for its preview; unknown after a reload.
  const [file, setFile] = useState<File>();
  const abort = useRef<AbortController>(undefined);
  const arrival = useRef<Promise<Certificate | undefined>>(undefined);

  useEffect(() => () => abort.current?.abort(), []);

  const sending = useMutation({
    mutationFn: async (picked: File) => {
      if (!fits(picked.size)) {
        throw new ApiError(413, { code: "too_large", message: texts.certificateTooLarge });
      }
      const form = new FormData();
      form.set("email", email);
      form.set("token", token);
      form.set("certificate_files", picked);
      abort.current = new AbortController();
      const { signal } = abort.current;
      const call = upload<Schemas["Uploaded"]>("/fileupload", form, {
        signal,
        onProgress: setShare,
      });
      const answer = await call.catch((error) => {
        if (!signal.aborted) throw error;
      });
      if (!answer) return undefined;
      const stored = { file_name: answer.file_name, name: picked.name, size: picked.size };
      setFile(picked);
      onChange(stored);
      return stored;
    },
    onError: (error) => {
      if (errorCode(error) === "expired") onExpired();
      else if (!isExpected(error)) void alert(texts.somethingWentWrong);
    },
  });
  const { error, isPending } = sending;

  const drop = () => {
    abort.current?.abort();
    sending.reset();
  };

  return {
    certificate,
    /** What is on its way, or did not arrive. */
    picked: isPending || error ? sending.variables : undefined,
    /** The file that is shown. */
    file: isPending || error ? sending.variables : file,
    /** 0 to 1, while it is on its way. */
    share: isPending ? share : undefined,
    refusal: error ? refusalOf(error) : undefined,
    /** The same file may arrive when it is sent again. */
    again: error !== null && (!isExpected(error) || error.isPassing || error.status === 429),
    choose: (picked: File) => {
      drop();
      setShare(0);
      arrival.current = sending.mutateAsync(picked).catch(() => undefined);
    },
    /** Stops what is on its way, or puts a refusal away; what had arrived before stays. */
    drop,
    remove: () => {
      setFile(undefined);
      onChange(undefined);
    },
    /** What the form is sent with, once nothing is on its way; undefined if a file did not arrive. */
    settled: async (): Promise<{ file_name: string } | undefined> =>
      isPending || error ? arrival.current : (certificate ?? { file_name: "" }),
  };
}

export type CertificateState = ReturnType<typeof useCertificate>;

const isExpected = (error: Error): error is ApiError =>
  error instanceof ApiError && (error.isPassing || EXPECTED_STATUSES.includes(error.status));

function refusalOf(error: Error): string {
  if (!isExpected(error)) return texts.didNotWork;
  if (error.status === 429) return failureText(error);
  return error.errors.certificate_files?.[0] ?? error.message;
}
