import { CircleAlert } from "lucide-react";
import { config } from "@/shared/config";
import { Segmented } from "@/shared/ui/Choice";
import { Checkbox } from "@/shared/ui/Field";
import { CheckoutSection } from "./CheckoutSection";
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
  const { notes } = config();
  return (
    <CheckoutSection title="Export Declaration">
      <p className="text-ink-2 whitespace-pre-line">{notes.declaration}</p>
      <Segmented<Declaration>
        legend="Export Declaration"
        className="justify-self-start phone:[&_label]:min-w-84"
        options={[
          { value: "YES", label: "YES" },
          { value: "NO", label: "NO" },
        ]}
        value={declaration}
        onChange={(next) => onChange({ declaration: next, responsible: false })}
      />
      <p
        role="status"
        className={
          error ? "flex gap-5 -mt-8 text-bad text-13 [&>svg]:flex-none [&>svg]:mt-2" : "sr-only"
        }
      >
        {error && <CircleAlert size={15} />}
        {error}
      </p>
      {declaration === "NO" && (
        <Checkbox
          checked={responsible}
          onChange={(event) => onChange({ responsible: event.target.checked })}
        >
          {notes.responsibility}
        </Checkbox>
      )}
    </CheckoutSection>
  );
}
