import { cx } from "@/shared/cx";
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
