import { Info } from "lucide-react";
import { config } from "@/shared/config";
import styles from "./Checklist.module.css";
import { CheckoutSection } from "./CheckoutSection";

/** What the buyer should know before paying. */
export function Checklist() {
  const { title, points } = config().checklist;
  return (
    <CheckoutSection title={title}>
      <ul className={styles.points}>
        {points.map((point) => (
          <li key={point}>
            <Info size={17} strokeWidth={1.8} aria-hidden />
            {point}
          </li>
        ))}
      </ul>
    </CheckoutSection>
  );
}
