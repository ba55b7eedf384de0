import { Info } from "lucide-react";
import styles from "./Checklist.module.css";
import { CheckoutSection } from "./CheckoutSection";

const POINTS = [
  "The shipping fee is added to the final invoice and is the customer’s responsibility.",
  "A confirmed order cannot be modified.",
  "A PayPal surcharge of 3.5 % for US customers and 5 % for South America applies. Please contact your sales representative.",
];

/** What the buyer should know before paying. */
export function Checklist() {
  return (
    <CheckoutSection title="Checklist">
      <ul className={styles.points}>
        {POINTS.map((point) => (
          <li key={point}>
            <Info size={17} strokeWidth={1.8} aria-hidden />
            {point}
          </li>
        ))}
      </ul>
    </CheckoutSection>
  );
}
