import { useQuery } from "@tanstack/react-query";
import {
  Ban,
  Banknote,
  CalendarCheck,
  Check,
  ClipboardList,
  Landmark,
  ListChecks,
  Plane,
} from "lucide-react";
import { Fragment, useState } from "react";
import { buyerConfig } from "@/api/seller";
import { cents, change, counted, dayText, usd } from "@/domain/figures";
import { EachBank } from "@/shared/ui/BankBlock";
import { Button, ButtonLink, FileLink } from "@/shared/ui/Button";
import { Link } from "@/shared/ui/Link";
import { Loading, Skeleton } from "@/shared/ui/Panels";
import { PHONE, useMedia } from "@/shared/use-media";
import { announcedWire, GivenFile } from "./GivenFile";
import type { Order, OrderLine } from "./queries";
import { proposalsPath, signed } from "./rules";

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

const ACTION = "row-[1] col-[3] phone:row-auto phone:col-[1/-1] phone:min-h-44!";

/** What lies under the step, row by row. */
const BOX = "col-span-full overflow-hidden divided border border-line rounded-2 bg-surface";
const ROW = "flex justify-between gap-12 wrap-anywhere px-12 py-10";

/** The steps in which a wire may be on its way. */
const AWAITS_WIRE = ["deposit_wire", "balance_review"];

/** Next step, by whom and by when, as the server says it; the colour says whose turn it is. */
export function NextStep({ order, lines }: { order: Order; lines: readonly OrderLine[] }) {
  const { kind, tone, title, text, amount, rows } = order.next_step;
  const isPhone = useMedia(PHONE);
  const Icon = ICONS[kind];
  return (
    <section
      className="grid items-center rounded-3 grid-cols-[34px_minmax(0,1fr)_auto] gap-y-10 gap-x-14
        py-14 px-card bg-[var(--tone-bg,_var(--sunken))] forced-colors:border
        phone:grid-cols-[34px_minmax(0,1fr)]"
      data-tone={tone}
      aria-label="Next step"
    >
      <span className="grid place-items-center rounded-2 bg-surface w-34 h-34" aria-hidden>
        <Icon size={18} />
      </span>
      <div>
        <h3 className="text-16 wrap-anywhere">{title}</h3>
        {text && <p className="text-ink-2 wrap-anywhere">{text}</p>}
      </div>
      {kind === "proposals" && (
        <>
          <ButtonLink variant="primary" className={ACTION} to={proposalsPath(order)}>
            Answer
          </ButtonLink>
          <Proposed lines={lines} />
        </>
      )}
      {kind === "deposit_wire" && amount !== null && (
        <WireFacts reference={order.invoice_code} amount={amount} />
      )}
      {AWAITS_WIRE.includes(kind) && <WireProof invoiceCode={order.invoice_code} />}
      {/* Elsewhere Order Details are in sight, with the same link. */}
      {kind === "shipped" && isPhone && order.shipping_url && (
        <FileLink
          variant="primary"
          className={ACTION}
          href={order.shipping_url}
          target="_blank"
          rel="noopener"
        >
          Track
        </FileLink>
      )}
      {kind === "cancelled" && rows.length > 0 && (
        <>
          <dl className={BOX}>
            {rows.map((row) => (
              <div key={row.text} className={ROW}>
                <dt>
                  {row.text}
                  {row.note && (
                    <small className="block text-ink-2 text-13 tabular-nums">{row.note}</small>
                  )}
                </dt>
                <dd className="font-bold tabular-nums">{signed(cents(row.amount))}</dd>
              </div>
            ))}
          </dl>
          <p className="flex flex-wrap col-span-full gap-16">
            <Link to="/account/wallet">See it in the wallet</Link>
            <Link to="/policy#cancellation-and-refunds">Terms of use</Link>
          </p>
        </>
      )}
    </section>
  );
}

/** Where the wire goes: a press selects a value, the button copies all of them. */
function WireFacts({ reference, amount }: { reference: string; amount: number }) {
  const config = useQuery(buyerConfig);
  const loading = (
    <Loading className={BOX}>
      <Skeleton height={130} />
    </Loading>
  );
  return (
    <EachBank config={config} loading={loading}>
      {(bank, title) => {
        const facts: [string, string][] = [
          ...(title ? [["Account", title] as [string, string]] : []),
          ["Amount", usd(amount)],
          ["Reference", reference],
          ["Holder", bank.holder],
          ["Bank", bank.bank],
          ["Account number", bank.account_number],
          ["SWIFT or routing number", bank.routing_number],
          ["Address", bank.address],
        ];
        return (
          <Fragment key={bank.account_number}>
            <dl
              className="small:[&>div]:grid small:[&>div]:grid-cols-[112px_minmax(0,1fr)]
                small:[&>:last-child]:col-[auto] grid col-span-full border border-line rounded-2
                bg-surface grid-cols-[repeat(auto-fill,minmax(190px,1fr))] gap-y-10 gap-x-14 py-12
                px-14 [&>:last-child]:col-span-2 small:grid-cols-1 small:gap-6"
            >
              {facts.map(([label, value]) => (
                <div key={label}>
                  <dt className="text-ink-3 text-13">{label}</dt>
                  <dd className="font-medium wrap-anywhere tabular-nums select-all">{value}</dd>
                </div>
              ))}
            </dl>
            <CopyAll text={facts.map((fact) => fact.join(": ")).join("\n")} />
          </Fragment>
        );
      }}
    </EachBank>
  );
}

const COPIED_MS = 2_000;

/** Copies a text, and says so for two seconds. */
function CopyAll({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : ClipboardList;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <Button size="small" className={ACTION} onClick={() => void copy()} icon={<Icon />}>
      {copied ? "Copied" : "Copy all"}
    </Button>
  );
}

/** The proof of payment at the order's announced wire; nothing where none is announced. */
function WireProof({ invoiceCode }: { invoiceCode: string }) {
  const { data: wire } = useQuery(announcedWire(invoiceCode));
  if (!wire) return null;
  const { proof } = wire;
  return (
    <GivenFile
      of="wire-proof"
      invoiceCode={invoiceCode}
      label="Attach a proof of payment"
      file={proof}
      note={proof?.seen_on ? `Seen by us on ${dayText(proof.seen_on)}` : "Being checked"}
    />
  );
}

const MOST_PROPOSED = 5;

/** What waits for an answer, with what accepting it makes of the price. */
function Proposed({ lines }: { lines: readonly OrderLine[] }) {
  const waiting = lines.filter(({ proposal }) => proposal);
  const more = waiting.length - MOST_PROPOSED;
  return (
    <ul className={BOX}>
      {waiting.slice(0, MOST_PROPOSED).map(({ order_product_id, eng_name, proposal }) => (
        <li key={order_product_id} className={ROW}>
          <span>
            {eng_name}
            <small className="block text-ink-2 text-13">{proposal?.text}</small>
          </span>
          <b className="tabular-nums whitespace-nowrap">{change(proposal?.difference ?? 0)}</b>
        </li>
      ))}
      {more > 0 && <li className={ROW}>{counted(more, "more proposal")}</li>}
    </ul>
  );
}
