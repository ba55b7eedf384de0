import { CircleAlert } from "lucide-react";
import { lazy, Suspense, useId, useState } from "react";
import { Button } from "@/shared/ui/Button";
import { Failure } from "@/shared/ui/Panels";
import styles from "./SubmitBar.module.css";

const TermsDialog = lazy(() => import("./TermsDialog"));

interface SubmitBarProps {
  terms: boolean;
  /** With the version of the terms that was read. */
  onTerms: (accepted: boolean, version: number | null) => void;
  error: string | undefined;
  busy: boolean;
  failure: string | undefined;
}

/** The bar under the form: the terms, which are read before they are ticked, and 'Submit'. */
export function SubmitBar({ terms, onTerms, error, busy, failure }: SubmitBarProps) {
  const [reading, setReading] = useState(false);
  const [loaded, setLoaded] = useState(false);
  const id = useId();
  const read = () => {
    setLoaded(true);
    setReading(true);
  };
  return (
    <div className={styles.bar}>
      <div className={styles.content}>
        <div className={styles.terms}>
          <input
            id={`${id}-box`}
            type="checkbox"
            name="terms"
            className={styles.box}
            required
            aria-labelledby={`${id}-agree ${id}-terms`}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            checked={terms}
            onChange={() => (terms ? onTerms(false, null) : read())}
          />
          <p>
            <label id={`${id}-agree`} htmlFor={`${id}-box`}>
              I agree to the
            </label>{" "}
            <button id={`${id}-terms`} type="button" className={styles.link} onClick={read}>
              privacy policy and terms of use
            </button>
            <span className={styles.mark} aria-hidden>
              *
            </span>
          </p>
          {error && (
            <p id={`${id}-error`} className={styles.error}>
              <CircleAlert size={15} strokeWidth={1.8} aria-hidden />
              {error}
            </p>
          )}
        </div>
        <Failure text={failure} />
        <Button type="submit" variant="primary" size="large" busy={busy} className={styles.submit}>
          Submit
        </Button>
      </div>
      <Suspense fallback={null}>
        {loaded && (
          <TermsDialog
            open={reading}
            onClose={() => setReading(false)}
            onConfirm={(version) => {
              onTerms(true, version);
              setReading(false);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
