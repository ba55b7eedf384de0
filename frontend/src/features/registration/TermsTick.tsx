import { CircleAlert } from "lucide-react";
import { lazy, Suspense, useId } from "react";
import { cx } from "@/shared/cx";
import { Button } from "@/shared/ui/Button";
import { Failure } from "@/shared/ui/Panels";
import { usePopup } from "@/shared/ui/popup";
import styles from "./SubmitBar.module.css";

const TermsDialog = lazy(() => import("./TermsDialog"));

export interface TermsTickProps {
  terms: boolean;
  /** With the version of the terms that was read. */
  onTerms: (accepted: boolean, version: number | null) => void;
  error: string | undefined;
}

/** The terms, which are read before they are ticked. */
export function TermsTick({ terms, onTerms, error }: TermsTickProps) {
  const popup = usePopup();
  const id = useId();
  const openTerms = () => popup.show(true);
  return (
    <>
      <div
        className="grid flex-1 items-center grid-cols-[auto_1fr] gap-y-2 gap-x-10 phone:basis-full
          phone:min-h-40 [&_label]:cursor-pointer"
      >
        <input
          id={`${id}-box`}
          type="checkbox"
          name="terms"
          className="w-18 h-18 accent-graphic phone:w-22 phone:h-22"
          required
          aria-labelledby={`${id}-agree ${id}-terms`}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          checked={terms}
          onChange={() => (terms ? onTerms(false, null) : openTerms())}
        />
        <p>
          <label id={`${id}-agree`} htmlFor={`${id}-box`}>
            I agree to the
          </label>{" "}
          <button
            id={`${id}-terms`}
            type="button"
            className="border-0 text-accent inline min-h-24 py-2 px-0 bg-transparent text-left underline
              underline-offset-3"
            onClick={openTerms}
          >
            privacy policy and terms of use
          </button>
          <span className="ml-4 text-bad" aria-hidden>
            *
          </span>
        </p>
        {error && (
          <p id={`${id}-error`} className="flex items-center text-bad text-13 col-2 gap-5">
            <CircleAlert size={15} />
            {error}
          </p>
        )}
      </div>
      <Suspense fallback={null}>
        {popup.subject && (
          <TermsDialog
            {...popup.dialog}
            onConfirm={(version) => {
              onTerms(true, version);
              popup.close();
            }}
          />
        )}
      </Suspense>
    </>
  );
}

interface SubmitBarProps extends TermsTickProps {
  busy: boolean;
  failure: string | undefined;
}

/** The bar under the form: the terms, and 'Submit'. */
export function SubmitBar({ busy, failure, ...terms }: SubmitBarProps) {
  return (
    <div
      className={cx(
        styles.bar,
        "fixed border-t border-line bg-surface bottom-0 inset-x-0 z-(--z-bars)",
        "pt-14 pb-[calc(14px+env(safe-area-inset-bottom))] px-24",
        "phone:pt-6 phone:pb-[calc(12px+env(safe-area-inset-bottom))] phone:px-16",
      )}
    >
      <div
        className="flex items-center gap-16 max-w-872 mx-auto
          small:flex-wrap small:gap-y-4 small:gap-x-12"
      >
        <TermsTick {...terms} />
        <Failure text={failure} />
        <Button
          type="submit"
          variant="primary"
          size="large"
          busy={busy}
          className="min-w-160 small:flex-1"
        >
          Submit
        </Button>
      </div>
    </div>
  );
}
