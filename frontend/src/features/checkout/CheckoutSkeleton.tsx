import { cx } from "@/shared/cx";
import { Card } from "@/shared/ui/Card";
import { Loading, Skeleton } from "@/shared/ui/Panels";
import styles from "./CheckoutForm.module.css";

const SECTIONS = [98, 376, 344];

/** The checkout's cards while the temporary order loads. */
export function CheckoutSkeleton() {
  return (
    <Loading
      className={cx(
        styles.form,
        "grid gap-cards items-start grid-cols-[minmax(0,1fr)_432px]",
        "phone:grid-cols-1 phone:pb-(--h-page-bar)",
        "tablet:grid-cols-[minmax(0,1fr)_340px] paper:block",
      )}
    >
      <div className="grid gap-cards min-w-0">
        {SECTIONS.map((height) => (
          <Card key={height}>
            <Skeleton height={height} radius={12} />
          </Card>
        ))}
      </div>
      <Card>
        <Skeleton height={480} radius={12} />
      </Card>
    </Loading>
  );
}
