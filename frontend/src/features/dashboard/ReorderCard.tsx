import type { UseQueryResult } from "@tanstack/react-query";
import { Repeat, ShoppingBag } from "lucide-react";
import { useState } from "react";
import { count, counted, usd } from "@/domain/figures";
import { againLink } from "@/domain/orders";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Card, CardHead, EmptyState, Failure, Loading, Skeleton } from "@/shared/ui/Panels";
import { ProductImage } from "@/shared/ui/ProductImage";
import { toast } from "@/shared/ui/toasts";
import { usePutIntoBasket } from "@/shared/use-put-into-basket";
import type { PurchaseMonth } from "./OrderAmountChart";
import type { WhatIsDue } from "./ToDoCard";

interface ReorderCardProps {
  due: UseQueryResult<WhatIsDue>;
  lastMonth: PurchaseMonth | undefined;
}

/** Regular products that are overdue, and last month's orders, to be put into the basket. */
export function ReorderCard({ due: { data, isPending }, lastMonth }: ReorderCardProps) {
  const [failure, setFailure] = useState<string>();
  const putIntoBasket = usePutIntoBasket();
  const regulars = data?.regulars ?? [];
  const lines = regulars.flatMap(({ product, count: pieces }) =>
    product ? [{ product, count: pieces }] : [],
  );
  const add = () => {
    const { refused, undo } = putIntoBasket(lines, "add");
    setFailure(refused);
    if (!refused) toast(`${counted(lines.length, "product")} put into the basket.`, undo);
  };
  return (
    <Card aria-labelledby="reorder" aria-busy={isPending}>
      <CardHead title="Due for reorder" id="reorder" />
      <Failure text={failure} />
      {isPending && (
        <Loading className="px-card py-14">
          <Skeleton height={220} />
        </Loading>
      )}
      {data && regulars.length === 0 && (
        <EmptyState icon={ShoppingBag} text="Nothing is due for reorder.">
          <p>Products you order regularly appear here when they are due.</p>
        </EmptyState>
      )}
      <ul className="divided flex-1">
        {regulars.map(({ sku, eng_name, product, count: pieces, every_days, days_ago }) => (
          <li
            key={sku}
            className="grid items-center grid-cols-[46px_minmax(0,1fr)_auto] gap-y-2 gap-x-12 py-8 px-card
              phone:[&>:last-child]:col-2"
          >
            <ProductImage image={product?.image ?? ""} side={46} />
            <p>
              <span className="block font-medium wrap-anywhere">{eng_name}</span>
              <span className="text-ink-3 text-13">
                every {counted(every_days, "day")} · last {counted(days_ago, "day")} ago
              </span>
            </p>
            <p className="text-ink-3 text-13 tabular-nums">
              {count(pieces)} × {usd(product?.usd_supply ?? 0)}
            </p>
          </li>
        ))}
      </ul>
      <footer
        className="flex flex-wrap gap-8 border-t border-line py-12 px-card empty:hidden
          phone:*:flex-1"
      >
        {lines.length > 0 && (
          <Button icon={<ShoppingBag />} onClick={add}>
            Add {count(lines.length)} to basket
          </Button>
        )}
        {lastMonth && lastMonth.total > 0 && (
          <ButtonLink to={againLink({ of: lastMonth.build_date })} icon={<Repeat />}>
            Order last month again
          </ButtonLink>
        )}
      </footer>
    </Card>
  );
}
