import { ApiError } from "./client";

interface UploadOptions {
  /** Told the share that has left, 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/**
 * Sends a form with files to a call of the contract, telling how far it is: fetch cannot.
 *
 * Throws ApiError for a refusal, an AbortError when it was stopped, a TypeError where no answer came.
 */
export function upload<Answer>(
  path: string,
  form: FormData,
  { onProgress, signal }: UploadOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${window.location.origin}/api${path}`);
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress(loaded / total);
    };
    request.onload = () => {
      if (request.status === 200) resolve(request.response);
      else reject(new ApiError(request.status, request.response));
    };
    request.onerror = () => reject(new TypeError("The upload got no answer"));
    request.onabort = () => reject(new DOMException("The upload was stopped", "AbortError"));
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}
