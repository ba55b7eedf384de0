import { type ReactNode, useId } from "react";
import { Card } from "@/shared/ui/Card";

/** A card of the checkout: its heading in a column of its own, above the content on a phone. */
export function CheckoutSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Card
      className="grid grid-cols-[240px_minmax(0,1fr)] gap-16 overflow-visible py-26 px-28
        tablet:grid-cols-[140px_minmax(0,1fr)] tablet:p-20
        phone:grid-cols-[minmax(0,1fr)] phone:py-18 phone:px-16"
      aria-labelledby={id}
    >
      <h2 id={id} className="text-16">
        {title}
      </h2>
      <div className="grid gap-16 min-w-0">{children}</div>
    </Card>
  );
}
