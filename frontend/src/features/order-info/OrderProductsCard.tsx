import { Info, Repeat } from "lucide-react";
import { lazy } from "react";
import { count, counted, usd } from "@/domain/figures";
import { againLink } from "@/domain/orders";
import { ButtonLink } from "@/shared/ui/Button";
import { Facts } from "@/shared/ui/Facts";
import { ManyLines } from "@/shared/ui/ManyLines";
import { Card, CardHead, Loading, Skeleton } from "@/shared/ui/Panels";
import { Part, usePopup } from "@/shared/ui/popup";
import type { Place } from "@/shared/ui/rows";
import { usePrinting } from "@/shared/use-media";
import type { ShownOrder } from "./OrderDetailsCard";
import { type OfOrder, OrderLineRow } from "./OrderLineRow";
import type { Order, OrderLine } from "./queries";
import {
  asOrdered,
  CANCELLED,
  isProblem,
  isUnconfirmed,
  problemsFirst,
  proposalsPath,
  type ShownLine,
} from "./rules";

const ImageViewer = lazy(() => import("@/shared/ui/ImageViewer"));

/** From so many lines on they scroll in their own box: the page stays short. */
const MANY = 12;
const LINE = 77;

/** Right card: the lines of the order. */
export function OrderProductsCard({ details, selected, className }: ShownOrder) {
  const answer = details.data;
  return (
    <Card className={className} aria-labelledby="order-products">
      <CardHead title="Products" id="order-products">
        {answer && (
          <span className="text-ink-3 text-13 tabular-nums">
            {counted(answer.order.count, "product")} · {counted(answer.order.pieces, "piece")}
          </span>
        )}
      </CardHead>
      <div
        // Hidden texts inside must not lengthen the page.
        className="relative flex-1 min-h-0 overscroll-contain overflow-y-auto
          tablet:overflow-visible"
      >
        {answer && <Notice order={answer.order} />}
        {answer ? (
          <Lines
            key={selected}
            lines={answer.details}
            code={selected}
            decided={answer.order.status_id >= 3}
            answer={proposalsPath(answer.order)}
          />
        ) : (
          details.isPending && <LinesSkeleton />
        )}
      </div>
    </Card>
  );
}

/** What is to be known of all lines, whatever their tags say. */
function Notice({ order }: { order: Order }) {
  const cancelled = order.status_id === CANCELLED;
  if (!cancelled && !isUnconfirmed(order)) return null;
  return (
    <p className="flex gap-8 items-center border-b border-line bg-surface-2 text-ink-2 text-13 px-card py-10">
      <Info size={15} />
      {cancelled
        ? "The order was cancelled before these lines were sent."
        : "Quantities are confirmed by the seller first."}
      {order.answers_needed > 0 && " Lines with an open proposal come first."}
    </p>
  );
}

function Lines({ lines, code, ...order }: OfOrder & { lines: readonly OrderLine[] }) {
  const { subject: viewed, ...popup } = usePopup<OrderLine>();
  const isPrinting = usePrinting();
  const rows = problemsFirst(asOrdered(lines));
  const row = ({ line, ordered }: ShownLine, place?: Place) => (
    <OrderLineRow
      key={line.order_product_id}
      {...{ line, ordered, place }}
      {...order}
      onView={() => popup.show(line)}
    />
  );
  return (
    <>
      {rows.length > MANY && !isPrinting ? (
        <ManyLines
          labelledBy="order-products"
          className="overflow-auto max-h-[70dvh] phone:max-h-[58dvh]"
          first={MANY}
          lines={rows}
          factsOf={factsOf}
          height={LINE}
        >
          {row}
        </ManyLines>
      ) : (
        <ul>{rows.map((line) => row(line))}</ul>
      )}
      {viewed && (
        <Part>
          <ImageViewer
            key={viewed.order_product_id}
            {...popup.dialog}
            name={viewed.eng_name}
            images={viewed.images}
          >
            <div className="grid gap-16">
              <Facts
                layout="spread"
                facts={[
                  { label: "SKU", value: viewed.sku },
                  viewed.ean && { label: "EAN", value: viewed.ean },
                  viewed.price > 0 && { label: "USRP", value: usd(viewed.price) },
                  { label: "MOQ", value: count(viewed.box_qty) },
                  { label: "Qty", value: count(viewed.count) },
                  { label: "Price", value: usd(viewed.order_price) },
                ]}
              />
              {viewed.tag !== "Free offer" && (
                <ButtonLink to={againLink({ of: code, sku: viewed.sku })} icon={<Repeat />}>
                  Order again
                </ButtonLink>
              )}
            </div>
          </ImageViewer>
        </Part>
      )}
    </>
  );
}

const NAMES = [230, 290, 350, 270, 330, 255, 315];

function LinesSkeleton() {
  return (
    <Loading>
      {NAMES.map((width) => (
        <div
          key={width}
          className="not-first:border-t border-line grid items-center
            grid-cols-[56px_minmax(0,1fr)_auto] gap-y-8 gap-x-14 py-10 px-card"
        >
          <Skeleton width={56} height={56} radius={8} />
          <div className="grid gap-4">
            <Skeleton width={width} height={14} />
            <Skeleton width={174} height={11} />
          </div>
        </div>
      ))}
    </Loading>
  );
}

/** A product may stand in two lines, confirmed and not. */
const factsOf = ({ line, ordered }: ShownLine) => ({
  sku: line.sku,
  key: String(line.order_product_id),
  name: line.eng_name,
  amount: line.order_price,
  isProblem: isProblem({ line, ordered }),
});
