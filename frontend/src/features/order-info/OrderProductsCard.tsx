import { Gift, Info, MessageSquareText } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { usd } from "@/domain/money";
import { count, counted } from "@/domain/units";
import { cx } from "@/shared/cx";
import { againLink } from "@/shared/order-again";
import { Card, CardHead } from "@/shared/ui/Card";
import { Facts } from "@/shared/ui/Facts";
import { Link } from "@/shared/ui/Link";
import { ProductImage } from "@/shared/ui/ProductImage";
import { Loading, Skeleton } from "@/shared/ui/Skeleton";
import { Tag } from "@/shared/ui/Tag";
import type { ShownOrder } from "./OrderDetailsCard";
import styles from "./OrderProductsCard.module.css";
import { OrderTotals } from "./OrderTotals";
import type { OrderLine } from "./queries";
import {
  asOrdered,
  CANCELLED,
  isUnconfirmed,
  piecesOf,
  problemsFirst,
  productCount,
  proposalsPath,
  type ShownLine,
} from "./rules";

const ImageViewer = lazy(() => import("@/shared/ui/ImageViewer"));

/** Right card: the lines of the order, and below them what they come to. */
export function OrderProductsCard({ details, selected, loading, className }: ShownOrder) {
  const shown = selected ? details.data : undefined;
  return (
    <Card className={className} aria-labelledby="order-products">
      <CardHead title="Products" id="order-products">
        {shown && (
          <span className={cx(styles.count, "num")}>
            {counted(productCount(shown.details), "product")} ·{" "}
            {counted(piecesOf(shown.details), "piece")}
          </span>
        )}
      </CardHead>
      <div className={styles.body}>
        {shown && isUnconfirmed(shown.order) && (
          <p className={styles.notice}>
            <Info size={15} strokeWidth={1.8} aria-hidden />
            Quantities are confirmed by the seller first.
            {shown.order.answers_needed > 0 && " Lines with an open proposal come first."}
          </p>
        )}
        {shown ? (
          <Lines
            key={selected}
            lines={shown.details}
            code={selected}
            cancelled={shown.order.status_id === CANCELLED}
            answer={proposalsPath(shown.order)}
          />
        ) : (
          loading && <LinesSkeleton />
        )}
      </div>
      {shown && <OrderTotals key={selected} order={shown.order} />}
    </Card>
  );
}

interface OfOrder {
  /** Its invoice code. */
  code: string;
  cancelled: boolean;
  /** Where its proposals are answered. */
  answer: string;
}

function Lines({ lines, ...order }: OfOrder & { lines: readonly OrderLine[] }) {
  const [viewed, setViewed] = useState<OrderLine>();
  const [open, setOpen] = useState(false);
  const view = (line: OrderLine) => {
    setViewed(line);
    setOpen(true);
  };
  return (
    <>
      <ul>
        {problemsFirst(asOrdered(lines)).map(({ line, ordered }) => (
          <Line
            key={line.order_product_id}
            line={line}
            ordered={ordered}
            {...order}
            onView={() => view(line)}
          />
        ))}
      </ul>
      {viewed && (
        <Suspense fallback={null}>
          <ImageViewer
            open={open}
            onClose={() => setOpen(false)}
            name={viewed.eng_name}
            image={viewed.image}
          >
            <Facts
              layout="spread"
              facts={[
                { label: "SKU", value: viewed.sku },
                ...(viewed.ean ? [{ label: "EAN", value: viewed.ean }] : []),
                { label: "USRP", value: usd(viewed.price) },
                { label: "MOQ", value: count(viewed.box_qty) },
                { label: "Qty", value: count(viewed.count) },
                { label: "Price", value: usd(viewed.order_price) },
              ]}
            />
          </ImageViewer>
        </Suspense>
      )}
    </>
  );
}

interface LineProps extends ShownLine, OfOrder {
  onView: () => void;
}

function Line({ line, ordered, code, cancelled, answer, onView }: LineProps) {
  const free = line.tag === "Free offer";
  return (
    <li className={cx(styles.line, free && styles.free)}>
      <button type="button" className={styles.tile} onClick={onView}>
        <ProductImage image={line.image} side={56} />
        <span className="visually-hidden">View {line.eng_name}</span>
      </button>
      <div className={styles.product}>
        <p className={styles.name}>{line.eng_name}</p>
        <p className={cx(styles.figures, "num")}>
          <span>{line.sku}</span>
          <span>USRP {usd(line.price)}</span>
          <span>MOQ {count(line.box_qty)}</span>
          <span>
            Qty {count(line.count)}
            {ordered !== undefined && ` of ${count(ordered)} ordered`}
          </span>
          {!free && (
            <Link
              className={styles.again}
              to={againLink({ of: code, sku: line.sku })}
              aria-label={`Order again, ${line.eng_name}`}
            >
              Order again
            </Link>
          )}
        </p>
      </div>
      <div className={styles.price}>
        <span className={cx(styles.amount, "num")}>{usd(line.order_price)}</span>
        <LineTag line={line} cancelled={cancelled} />
      </div>
      {line.proposal && (
        <p className={cx(styles.comment, styles.proposed)}>
          <span>Proposed: {line.proposal.text}.</span>
          <Link to={answer} aria-label={`Answer, ${line.eng_name}`}>
            Answer
          </Link>
        </p>
      )}
      {line.comment && (
        <p className={styles.comment}>
          <MessageSquareText size={15} strokeWidth={1.8} aria-hidden />
          {line.comment}
        </p>
      )}
    </li>
  );
}

/** The tag's text is the server's; nothing of a cancelled order is good or bad any more. */
function LineTag({ line: { tag }, cancelled }: { line: OrderLine; cancelled: boolean }) {
  if (tag === "Free offer") {
    return (
      <Tag tone={cancelled ? "mute" : "ok"} icon={<Gift size={13} strokeWidth={1.8} aria-hidden />}>
        {tag}
      </Tag>
    );
  }
  const tone = tag === "Confirmed" ? "ok" : "warn";
  return <Tag tone={cancelled ? "mute" : tone}>{tag}</Tag>;
}

const NAMES = [230, 290, 350, 270, 330, 255, 315];

function LinesSkeleton() {
  return (
    <Loading>
      {NAMES.map((width) => (
        <div key={width} className={styles.line}>
          <Skeleton width={56} height={56} radius={8} />
          <div className={styles.product}>
            <Skeleton width={width} height={14} />
            <Skeleton width={174} height={11} />
          </div>
        </div>
      ))}
    </Loading>
  );
}
