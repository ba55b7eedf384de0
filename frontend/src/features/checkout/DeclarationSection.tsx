import { CircleAlert } from "lucide-react";
import { Checkbox } from "@/shared/ui/Checkbox";
import { Segmented } from "@/shared/ui/Choice";
import { CheckoutSection } from "./CheckoutSection";
import styles from "./DeclarationSection.module.css";
import type { CheckoutFields, Declaration } from "./fields";

interface DeclarationSectionProps {
  declaration: Declaration;
  responsible: boolean;
  /** Why this choice does not go with the payment method. */
  error: string | undefined;
  onChange: (changes: Partial<CheckoutFields>) => void;
}

/** Export declaration YES or NO; NO asks the buyer to take the responsibility. */
export function DeclarationSection({
  declaration,
  responsible,
  error,
  onChange,
}: DeclarationSectionProps) {
  return (
    <CheckoutSection title="Export Declaration">
      <p className="ink-2">
        YES declares your order to Korean customs. This is the usual choice, and payment by bank
        wire requires it.
      </p>
      <Segmented<Declaration>
        legend="Export Declaration"
        className={styles.choice}
        options={[
          { value: "YES", label: "YES" },
          { value: "NO", label: "NO" },
        ]}
        value={declaration}
        onChange={(next) => onChange({ declaration: next, responsible: false })}
      />
      <p role="status" className={error ? styles.error : "visually-hidden"}>
        {error && <CircleAlert size={15} strokeWidth={1.8} aria-hidden />}
        {error}
      </p>
      {declaration === "NO" && (
        <Checkbox
          checked={responsible}
          onChange={(event) => onChange({ responsible: event.target.checked })}
        >
          I am responsible for any customs problems with an undeclared export.
        </Checkbox>
      )}
    </CheckoutSection>
  );
}
