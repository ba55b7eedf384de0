import { useQuery } from "@tanstack/react-query";
import { Info } from "lucide-react";
import { useId } from "react";
import { buyerConfig } from "@/api/seller";
import { useUser } from "@/api/session";
import { count, counted, kilograms, usd } from "@/domain/figures";
import { feeLabel, toPay } from "@/domain/payment";
import { config } from "@/shared/config";
import { cx } from "@/shared/cx";
import { useIsOnline } from "@/shared/online";
import { Button, type ButtonProps } from "@/shared/ui/Button";
import { Facts } from "@/shared/ui/Facts";
import { ManyLines } from "@/shared/ui/ManyLines";
import { Card, CardHead, OfflineReason } from "@/shared/ui/Panels";
import { ProductImage } from "@/shared/ui/ProductImage";
import { MANY, type Place, virtualRow } from "@/shared/ui/rows";
import { StockTag } from "@/shared/ui/Tag";
import styles from "./Checkout.module.css";
import type { TemporaryOrderLine } from "./queries";
import { isLineShort } from "./rules";
import type { Checkout } from "./use-checkout";

const LINE = 67;
const LINES = "relative overscroll-contain overflow-auto min-h-67 focus-visible:-outline-offset-2";

/** What is paid by the checkout, on the summary and on a phone's bar. */
export const DEPOSIT_NOW = "Deposit now";

/** The products, what they cost and weigh, and Checkout and cancel. Amounts are the server's. */
export function OrderSummary({ checkout }: { checkout: Checkout }) {
  const { temp_order, temp_order_details } = checkout.quote;
  const { data } = useQuery(buyerConfig);
  const { notes } = config();
  const id = useId();
  const isOnline = useIsOnline();
  const { method } = checkout.fields;
  const byPaypal = method === "PAYPAL";
  const fee = feeLabel(data?.paypal_fee_rate);
  const { stock_free } = useUser();
  const isShort = (line: TemporaryOrderLine) => isLineShort(line, stock_free === 1);
  return (
    <Card
      className={cx(
        styles.card,
        "sticky top-[calc(var(--h-header)_+_18px)] [&>header]:px-18",
        "phone:static",
      )}
      aria-labelledby={id}
    >
      <CardHead title="Products" id={id}>
        <span className="text-ink-3 text-13 tabular-nums">
          {counted(temp_order.count, "product")}
        </span>
      </CardHead>
      {temp_order_details.length > MANY ? (
        <ManyLines
          labelledBy={id}
          className={cx(LINES, styles.lines, styles.many)}
          first={MANY}
          lines={temp_order_details}
          factsOf={(line) => ({
            sku: line.sku,
            name: line.eng_name,
            amount: line.order_price,
            isProblem: isShort(line),
          })}
          height={LINE}
        >
          {(line, place) => summaryLine(line, isShort(line), place)}
        </ManyLines>
      ) : (
        <ul
          // Hidden texts inside must not lengthen the page.
          className={cx(LINES, styles.lines)}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls and holds no control.
          tabIndex={0}
          aria-labelledby={id}
        >
          {temp_order_details.map((line) => summaryLine(line, isShort(line)))}
        </ul>
      )}
      <div className="flex-none border-t border-line px-card py-14">
        <Facts
          layout="spread"
          facts={[
            { label: "Subtotal", value: usd(temp_order.total) },
            { label: "Product weight", value: kilograms(temp_order.weight_kg) },
            { label: "Shipping fee", value: "Set at confirmation" },
            { label: "Prices held until", value: temp_order.prices_until },
            byPaypal && { label: DEPOSIT_NOW, value: usd(temp_order.deposit) },
            byPaypal && { label: fee, value: usd(temp_order.paypal_fee ?? 0) },
          ]}
        />
        <p
          className="flex items-baseline justify-between gap-12 font-bold mt-10 pt-8
            [border-top:1px_dashed_var(--line-2)] [&_strong]:text-22 [&_strong]:font-bold"
        >
          <span>{byPaypal ? "Total" : DEPOSIT_NOW}</span>
          <strong className="tabular-nums">
            {usd(toPay(method, temp_order, temp_order.deposit))}
          </strong>
        </p>
        <div className={cx(styles.buttons, "flex gap-10 mt-16")}>
          <CheckoutButton checkout={checkout} className={styles.checkout} />
          <Button
            size="large"
            busy={checkout.cancelling}
            disabled={checkout.busy || !isOnline}
            onClick={checkout.cancel}
          >
            cancel
          </Button>
        </div>
        <OfflineReason text="Ordering needs a connection. The form is kept." />
        <p
          className="flex text-ink-3 text-13 gap-7 mt-10 whitespace-pre-line
            [&_svg]:flex-none [&_svg]:mt-2"
        >
          <Info size={15} />
          <span>{notes.shipping}</span>
        </p>
      </div>
    </Card>
  );
}

/** Sends the form. */
export function CheckoutButton({ checkout, ...button }: ButtonProps & { checkout: Checkout }) {
  const isOnline = useIsOnline();
  return (
    <Button
      {...button}
      type="submit"
      variant="primary"
      size="large"
      busy={checkout.busy}
      disabled={checkout.cancelling || !isOnline}
    >
      Checkout
    </Button>
  );
}

/** A product of the order; with its place in a list that is drawn as far as visible. */
function summaryLine(line: TemporaryOrderLine, isShort: boolean, place?: Place) {
  return (
    <li
      key={line.sku}
      className="flex items-center gap-12 border-b border-line min-h-67 py-8 px-18"
      {...(place && virtualRow(place))}
    >
      <ProductImage image={line.image} side={44} />
      <span className="grid flex-1 gap-2 min-w-0">
        <span className="font-medium wrap-anywhere text-13.5 leading-[1.3]">{line.eng_name}</span>
        <span className="text-ink-3 text-13 tabular-nums">
          {line.sku} · {count(line.count)} × {usd(line.usd_supply)}
        </span>
      </span>
      {isShort && <StockTag left={line.expect_qty} />}
      <span className="font-bold tabular-nums">{usd(line.order_price)}</span>
    </li>
  );
}
