import { type ReactNode, useId } from "react";
import { Card } from "@/shared/ui/Card";
import styles from "./CheckoutSection.module.css";

/** A card of the checkout: its heading in a column of its own, above the content on a phone. */
export function CheckoutSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Card className={styles.section} aria-labelledby={id}>
      <h2 id={id} className="text-16">
        {title}
      </h2>
      <div className="grid gap-16 min-w-0">{children}</div>
    </Card>
  );
}
