import { type ReactNode, useId } from "react";
import { Card } from "@/shared/ui/Card";

/** A card of the form: its heading in a column of its own beside fields in two, above them on a phone. */
export function RegistrationSection({
  title,
  remark,
  children,
}: {
  title: string;
  remark: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Card
      className="grid grid-cols-[220px_minmax(0,1fr)] gap-x-36 gap-y-16 overflow-visible py-26 px-28
        phone:grid-cols-[minmax(0,1fr)] phone:py-18 phone:px-16"
      aria-labelledby={id}
    >
      <div>
        <h2 id={id} className="text-16">
          {title}
        </h2>
        <p className="text-ink-3 text-13 mt-2">{remark}</p>
      </div>
      <div className="grid gap-16 items-start grid-cols-2 below-560:grid-cols-1">{children}</div>
    </Card>
  );
}
