import { Button } from "@/shared/ui/Button";
import { Failure } from "@/shared/ui/Panels";
import styles from "./SubmitBar.module.css";
import { TermsTick, type TermsTickProps } from "./TermsTick";

interface SubmitBarProps extends TermsTickProps {
  busy: boolean;
  failure: string | undefined;
}

/** The bar under the form: the terms, and 'Submit'. */
export function SubmitBar({ busy, failure, ...terms }: SubmitBarProps) {
  return (
    <div className={styles.bar}>
      <div className={styles.content}>
        <TermsTick {...terms} />
        <Failure text={failure} />
        <Button type="submit" variant="primary" size="large" busy={busy} className={styles.submit}>
          Submit
        </Button>
      </div>
    </div>
  );
}
