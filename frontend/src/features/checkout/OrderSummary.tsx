import { useQuery } from "@tanstack/react-query";
import { Info } from "lucide-react";
import { useId } from "react";
import { buyerConfig } from "@/api/config";
import { useUser } from "@/api/session";
import { usd } from "@/domain/money";
import { feeLabel } from "@/domain/paypal";
import { isShort } from "@/domain/stock";
import { count, counted, kilograms } from "@/domain/units";
import { cx } from "@/shared/cx";
import { Button } from "@/shared/ui/Button";
import { Card, CardHead } from "@/shared/ui/Card";
import { Facts } from "@/shared/ui/Facts";
import { ProductImage } from "@/shared/ui/ProductImage";
import { Tag } from "@/shared/ui/Tag";
import styles from "./OrderSummary.module.css";
import type { Quote, TemporaryOrderLine } from "./queries";
import type { Checkout } from "./use-checkout";

interface OrderSummaryProps {
  quote: Quote;
  byPaypal: boolean;
  checkout: Checkout;
}

/** The products, what they cost and weigh, and Checkout and cancel. Amounts are the server's. */
export function OrderSummary({ quote, byPaypal, checkout }: OrderSummaryProps) {
  const { temp_order, temp_order_details } = quote;
  const { data: config } = useQuery(buyerConfig);
  const id = useId();
  const fee = feeLabel(config?.paypal_fee_rate);
  const partly = temp_order.deposit !== temp_order.total;
  return (
    <Card className={styles.card} aria-labelledby={id}>
      <CardHead title="Products" id={id}>
        <span className={cx(styles.count, "num")}>{counted(temp_order.count, "product")}</span>
      </CardHead>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls and holds no control. */}
      <ul className={styles.lines} tabIndex={0} aria-labelledby={id}>
        {temp_order_details.map((line) => (
          <Line key={line.sku} line={line} />
        ))}
      </ul>
      <div className={styles.foot}>
        <Facts
          layout="spread"
          facts={[
            { label: "Subtotal", value: usd(temp_order.total) },
            { label: "Product weight", value: kilograms(temp_order.weight_kg) },
            ...(partly ? [{ label: "Deposit", value: usd(temp_order.deposit) }] : []),
            ...(byPaypal ? [{ label: fee, value: usd(temp_order.paypal_fee) }] : []),
          ]}
        />
        {byPaypal && (
          <p className={styles.total}>
            <span>Total</span>
            <strong className="num">{usd(temp_order.paypal_total)}</strong>
          </p>
        )}
        <div className={styles.buttons}>
          <Button
            type="submit"
            variant="primary"
            size="large"
            className={styles.checkout}
            busy={checkout.busy}
            disabled={checkout.cancelling}
          >
            Checkout
          </Button>
          <Button
            size="large"
            busy={checkout.cancelling}
            disabled={checkout.busy}
            onClick={checkout.cancel}
          >
            cancel
          </Button>
        </div>
        <p className={styles.note}>
          <Info size={15} strokeWidth={1.8} aria-hidden />
          Shipping cost depends on product weight and distance.
        </p>
      </div>
    </Card>
  );
}

function Line({ line }: { line: TemporaryOrderLine }) {
  const { stock_free } = useUser();
  const available = line.expect_qty;
  const short = isShort({ available, count: line.count, stockFree: stock_free === 1 });
  return (
    <li className={styles.line}>
      <ProductImage image={line.image} side={44} />
      <span className={styles.text}>
        <span className={styles.name}>{line.eng_name}</span>
        <span className={cx(styles.figures, "num")}>
          {line.sku} · {count(line.count)} × {usd(line.usd_supply)}
        </span>
      </span>
      {short && <Tag tone="bad">Sold out</Tag>}
      <span className={cx(styles.price, "num")}>{usd(line.order_price)}</span>
    </li>
  );
}
