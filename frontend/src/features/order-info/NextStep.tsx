import { useQuery } from "@tanstack/react-query";
import { Ban, Banknote, CalendarCheck, Landmark, ListChecks, Plane } from "lucide-react";
import { buyerConfig } from "@/api/config";
import { cents, change, usd } from "@/domain/money";
import { counted } from "@/domain/units";
import { cx } from "@/shared/cx";
import { WithBank } from "@/shared/ui/BankBlock";
import { ButtonLink, FileLink } from "@/shared/ui/Button";
import { Link } from "@/shared/ui/Link";
import { Loading, Skeleton } from "@/shared/ui/Skeleton";
import { CheckoutButton } from "./CheckoutButton";
import { CopyAll, CopyValue, Value } from "./CopyValue";
import styles from "./NextStep.module.css";
import type { Order, OrderLine } from "./queries";
import { proposalsPath, signed } from "./rules";
import { WireProof } from "./WireProof";

const ICONS = {
  proposals: ListChecks,
  deposit_wire: Landmark,
  deposit_review: Banknote,
  deposit_due: Landmark,
  wait: CalendarCheck,
  balance: Banknote,
  balance_review: Banknote,
  ship: CalendarCheck,
  shipped: Plane,
  cancelled: Ban,
} as const;

/** The steps in which a wire may be on its way. */
const AWAITS_WIRE = ["deposit_wire", "balance_review"];

/** What is to be done now, by whom and by when; the server says it, the colour says whose turn it is. */
export function NextStep({ order, lines }: { order: Order; lines: readonly OrderLine[] }) {
  const { kind, tone, title, text, amount, rows } = order.next_step;
  const Icon = ICONS[kind];
  return (
    <section className={styles.place} aria-label="What is to be done now">
      <div className={styles.todo} data-tone={tone}>
        <span className={styles.icon} aria-hidden>
          <Icon size={18} strokeWidth={1.8} />
        </span>
        <div>
          <h3>{title}</h3>
          {text && <p>{text}</p>}
        </div>
        {order.allowed.checkout && amount !== null && (
          <CheckoutButton order={order} variant="primary" className={styles.action}>
            Pay {usd(amount)}
          </CheckoutButton>
        )}
        {kind === "proposals" && (
          <ButtonLink variant="primary" className={styles.action} to={proposalsPath(order)}>
            Answer
          </ButtonLink>
        )}
        {kind === "proposals" && <Proposed lines={lines} />}
        {kind === "deposit_wire" && amount !== null && (
          <WireFacts reference={order.invoice_code} amount={amount} />
        )}
        {AWAITS_WIRE.includes(kind) && <WireProof invoiceCode={order.invoice_code} />}
        {kind === "shipped" && <Parcel order={order} />}
        {rows.length > 0 && <Amounts rows={rows} />}
        {kind === "cancelled" && rows.length > 0 && (
          <p className={styles.links}>
            <Link to="/account/wallet">See it in the wallet</Link>
            <Link to="/policy#cancellation">Terms of use</Link>
          </p>
        )}
      </div>
    </section>
  );
}

/** Where the wire goes, each value with a button that copies it. */
function WireFacts({ reference, amount }: { reference: string; amount: number }) {
  const config = useQuery(buyerConfig);
  const loading = (
    <Loading className={styles.facts}>
      <Skeleton height={150} />
    </Loading>
  );
  return (
    <WithBank config={config} loading={loading}>
      {(bank) => {
        const facts: [string, string][] = [
          ["Amount", usd(amount)],
          ["Reference", reference],
          ["Holder", bank.holder],
          ["Bank", bank.bank],
          ["Account number", bank.account_number],
          ["Routing number", bank.routing_number],
          ["Address", bank.address],
        ];
        return (
          <>
            <dl className={styles.facts}>
              {facts.map(([label, value]) => (
                <CopyValue key={label} label={label} value={value} />
              ))}
            </dl>
            <CopyAll facts={facts} className={styles.action} />
          </>
        );
      }}
    </WithBank>
  );
}

const MOST_PROPOSED = 5;

/** What waits for an answer, with what accepting it makes of the price. */
function Proposed({ lines }: { lines: readonly OrderLine[] }) {
  const waiting = lines.filter(({ proposal }) => proposal);
  const more = waiting.length - MOST_PROPOSED;
  return (
    <ul className={styles.proposed}>
      {waiting.slice(0, MOST_PROPOSED).map(({ order_product_id, eng_name, proposal }) => (
        <li key={order_product_id}>
          <span>{eng_name}</span>
          <b className="num">{change(proposal?.difference ?? 0)}</b>
          <small>{proposal?.text}</small>
        </li>
      ))}
      {more > 0 && <li>{counted(more, "more proposal")}</li>}
    </ul>
  );
}

function Parcel({ order: { tracking_number, shipping_url, carrier } }: { order: Order }) {
  return (
    <>
      {shipping_url && (
        <FileLink
          variant="primary"
          className={styles.action}
          href={shipping_url}
          target="_blank"
          rel="noopener"
        >
          Track
        </FileLink>
      )}
      {tracking_number && (
        <dl className={cx(styles.facts, styles.parcel)}>
          {carrier && <Value label="Carrier" value={carrier} />}
          <CopyValue label="Tracking number" value={tracking_number} />
        </dl>
      )}
    </>
  );
}

/** What the amount is made of, or what became of the money; the last row is the outcome. */
function Amounts({ rows }: { rows: Order["next_step"]["rows"] }) {
  return (
    <dl className={styles.money}>
      {rows.map(({ text, amount, note }) => (
        <div key={text}>
          <dt>
            {text}
            {note && <small className="num">{note}</small>}
          </dt>
          <dd className="num">{signed(cents(amount))}</dd>
        </div>
      ))}
    </dl>
  );
}
