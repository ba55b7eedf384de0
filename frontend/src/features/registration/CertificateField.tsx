import { FileBadge, RotateCw, Trash2, X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { cx } from "@/shared/cx";
import { PAPERS, PAPERS_HINT, useFileDrop, whenChosen } from "@/shared/files";
import { Button } from "@/shared/ui/Button";
import { Field } from "@/shared/ui/Field";
import type { CertificateState } from "./use-certificate";

const QUIET = { size: "small", variant: "ghost" } as const;

interface CertificateFieldProps {
  state: CertificateState;
  error: string | undefined;
  className: string | undefined;
}

/** The chooser of the certificate: by button or by dropping a file, with its progress and its picture. */
export function CertificateField({ state, error, className }: CertificateFieldProps) {
  const { certificate, picked } = state;
  const chooser = useRef<HTMLInputElement>(null);
  const status = useId();
  const { over, handlers } = useFileDrop(state.choose);

  return (
    <Field label="Certificate" error={state.refusal ?? error} className={className}>
      {({ id, ...control }) => (
        <div
          className={cx(
            "flex flex-wrap items-center rounded-3 bg-surface-2 gap-y-12 gap-x-14 min-h-68 py-12",
            "px-16 border border-dashed border-control",
            "has-[[aria-invalid=true]]:border-bad",
            over && "border-graphic! bg-accent-soft!",
          )}
          {...handlers}
        >
          <span
            className="grid flex-none place-items-center overflow-hidden bg-accent-soft text-accent
              min-w-38 min-h-38 rounded-[10px]"
          >
            <Thumbnail file={state.file}>
              <FileBadge size={19} />
            </Thumbnail>
          </span>
          <About id={status} state={state} />
          <div className="flex flex-wrap items-center ml-auto gap-y-4 gap-x-8 phone:ml-0">
            {picked ? (
              <Button {...QUIET} icon={<X size={15} />} onClick={state.drop}>
                Cancel
              </Button>
            ) : (
              certificate && (
                <Button
                  {...QUIET}
                  icon={<Trash2 size={15} />}
                  onClick={() => {
                    state.remove();
                    chooser.current?.focus();
                  }}
                >
                  Remove
                </Button>
              )
            )}
            {picked && state.again && (
              <Button {...QUIET} icon={<RotateCw size={15} />} onClick={() => state.choose(picked)}>
                Try again
              </Button>
            )}
            <span
              // The native chooser, under the look of a button.
              className="has-focus-visible:outline-2 has-focus-visible:outline-graphic
                has-focus-visible:outline-offset-2 relative inline-flex items-center border
                border-line-2 rounded-2 bg-surface text-13 font-medium min-h-(--h-small) px-12
                shadow-button hover:bg-surface-2"
            >
              <input
                ref={chooser}
                className="absolute inset-0 w-full opacity-0 cursor-pointer"
                id={id}
                type="file"
                name="certificate_files"
                accept={PAPERS}
                {...control}
                aria-describedby={cx(status, control["aria-describedby"])}
                onChange={whenChosen(state.choose)}
              />
              <span aria-hidden>{certificate ? "Replace" : "Choose file"}</span>
            </span>
          </div>
          <p role="status" className="sr-only">
            {certificate && !picked ? `${certificate.name} is uploaded.` : ""}
          </p>
        </div>
      )}
    </Field>
  );
}

/** The file's name and size and how far it has come; what may be chosen, as long as there is none. */
function About({ id, state }: { id: string; state: CertificateState }) {
  const { name, size } = state.picked ?? state.certificate ?? {};
  const percent = state.share === undefined ? undefined : Math.round(state.share * 100);
  const progress = percent === undefined ? "uploaded" : `${percent} % uploaded`;
  const facts = [size !== undefined && fileSize(size), state.refusal ? "not uploaded" : progress];
  return (
    <div className="flex-[1_1_150px] min-w-0" id={id}>
      <p className="font-medium wrap-anywhere">{name ?? "Drop a file here, or choose one"}</p>
      <p className="text-ink-3 text-13 tabular-nums">
        {name ? facts.filter(Boolean).join(" · ") : PAPERS_HINT}
      </p>
      {percent !== undefined && (
        <progress className="block w-full h-6 mt-6" max={100} value={percent} aria-label="Upload" />
      )}
    </div>
  );
}

const tenths = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** `1.8 MB`, `340 KB`: the size of a file (bytes), never shown as nothing. */
export function fileSize(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1024
    ? `${Math.max(1, Math.round(kilobytes))} KB`
    : `${tenths.format(kilobytes / 1024)} MB`;
}

/** Sides of the drawing in pixels: twice what shows, for sharp screens. */
const SIDE = 96;

/** A small picture of an image, on a canvas because the page's policy lets none come from a blob: address. */
function Thumbnail({ file, children }: { file: File | undefined; children: ReactNode }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState<File>();
  const image = file?.type.startsWith("image/") ? file : undefined;

  useEffect(() => {
    if (!image || typeof createImageBitmap !== "function") return;
    let current = true;
    createImageBitmap(image)
      .then((bitmap) => {
        const context = canvas.current?.getContext("2d");
        if (!current || !context) return;
        const scale = SIDE / Math.max(bitmap.width, bitmap.height);
        const [width, height] = [bitmap.width * scale, bitmap.height * scale];
        context.clearRect(0, 0, SIDE, SIDE);
        context.drawImage(bitmap, (SIDE - width) / 2, (SIDE - height) / 2, width, height);
        bitmap.close();
        setDrawn(image);
      })
      // No picture of what cannot be decoded: the server says what it is.
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [image]);

  const shows = image !== undefined && drawn === image;
  return (
    <>
      {image && (
        <canvas
          ref={canvas}
          width={SIDE}
          height={SIDE}
          className={shows ? "block w-48 h-48" : "hidden"}
        />
      )}
      {!shows && children}
    </>
  );
}
