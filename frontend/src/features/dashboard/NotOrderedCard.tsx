import type { UseQueryResult } from "@tanstack/react-query";
import { ShoppingBag } from "lucide-react";
import { useState } from "react";
import { basket } from "@/domain/basket";
import { usd } from "@/domain/money";
import { count, counted } from "@/domain/units";
import { Button } from "@/shared/ui/Button";
import { Card, CardHead } from "@/shared/ui/Card";
import { Checkbox } from "@/shared/ui/Checkbox";
import { EmptyState, Failure } from "@/shared/ui/Panels";
import { ProductImage } from "@/shared/ui/ProductImage";
import { Loading, Skeleton } from "@/shared/ui/Skeleton";
import { toast } from "@/shared/ui/toasts";
import { usePutIntoBasket } from "@/shared/use-put-into-basket";
import styles from "./NotOrderedCard.module.css";
import type { WhatIsDue } from "./WhatIsDueCard";

type Regular = WhatIsDue["regulars"][number];
const ROWS = [1, 2, 3, 4];

/** Regular products that were not ordered for longer than usual; the ticked ones go into the basket. */
export function NotOrderedCard({ due: { data, isPending } }: { due: UseQueryResult<WhatIsDue> }) {
  const [left, setLeft] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<string>();
  const put = usePutIntoBasket();
  const regulars = data?.regulars ?? [];
  const ticked = regulars.flatMap(({ sku, product, count: pieces }) =>
    product && !left.includes(sku) ? [{ product, count: pieces }] : [],
  );

  const add = () => {
    let refused: string | undefined;
    const undo = basket.undoable(() => {
      refused = put(ticked, "add");
    });
    setFailure(refused);
    if (!refused) toast(`${counted(ticked.length, "product")} put into the basket.`, undo);
  };
  const tick = (sku: string, yes: boolean) =>
    setLeft(yes ? left.filter((other) => other !== sku) : [...left, sku]);

  return (
    <Card aria-labelledby="not-ordered" aria-busy={isPending}>
      <CardHead title="Not ordered for long" id="not-ordered">
        {regulars.length > 0 && (
          <Button
            variant="soft"
            size="small"
            disabled={ticked.length === 0}
            icon={<ShoppingBag size={16} strokeWidth={1.8} aria-hidden />}
            onClick={add}
          >
            Add {count(ticked.length)}
          </Button>
        )}
      </CardHead>
      <div className={styles.body}>
        <Failure text={failure} />
        {isPending && (
          <Loading>
            {ROWS.map((row) => (
              <div key={row} className={styles.row}>
                <Skeleton width="70%" height={14} />
              </div>
            ))}
          </Loading>
        )}
        {data && regulars.length === 0 && (
          <EmptyState
            icon={<ShoppingBag size={28} strokeWidth={1.6} aria-hidden />}
            text="Nothing is overdue"
          >
            <p>Products that you order regularly come up here when it is time.</p>
          </EmptyState>
        )}
        {regulars.length > 0 && (
          <>
            <ul>
              {regulars.map((regular) => (
                <Row
                  key={regular.sku}
                  regular={regular}
                  ticked={!left.includes(regular.sku)}
                  onTick={(yes) => tick(regular.sku, yes)}
                />
              ))}
            </ul>
            <p className={styles.note}>
              Quantities as in your last order of each. Stock is checked when you order.
            </p>
          </>
        )}
      </div>
    </Card>
  );
}

interface RowProps {
  regular: Regular;
  ticked: boolean;
  onTick: (yes: boolean) => void;
}

function Row({ regular, ticked, onTick }: RowProps) {
  const { eng_name, product, count: pieces, every_days, days_ago } = regular;
  return (
    <li className={styles.row}>
      <Checkbox checked={ticked} onChange={(event) => onTick(event.target.checked)}>
        <span className={styles.product}>
          <ProductImage image={product?.image ?? ""} side={46} />
          <span>
            <span className="block medium break">{eng_name}</span>
            <span className={styles.pace}>
              every {counted(every_days, "day")} · last {counted(days_ago, "day")} ago
            </span>
          </span>
          <span className={`${styles.price} num`}>
            {count(pieces)} × {usd(product?.usd_supply ?? 0)}
          </span>
        </span>
      </Checkbox>
    </li>
  );
}
