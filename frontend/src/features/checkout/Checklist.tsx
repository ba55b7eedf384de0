import { Info } from "lucide-react";
import { config } from "@/shared/config";
import { CheckoutSection } from "./CheckoutSection";

/** What the buyer should know before paying. */
export function Checklist() {
  const { title, points } = config().checklist;
  return (
    <CheckoutSection title={title}>
      <ul
        className="grid gap-8 text-ink-2
          [&_li]:flex [&_li]:gap-11 [&_svg]:flex-none [&_svg]:mt-2 [&_svg]:text-accent"
      >
        {points.map((point) => (
          <li key={point}>
            <Info size={17} />
            {point}
          </li>
        ))}
      </ul>
    </CheckoutSection>
  );
}
