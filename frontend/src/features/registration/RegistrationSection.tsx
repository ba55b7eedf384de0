import { type ReactNode, useId } from "react";
import { Card } from "@/shared/ui/Card";
import styles from "./RegistrationSection.module.css";

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
    <Card className={styles.section} aria-labelledby={id}>
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
