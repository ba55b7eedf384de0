import { Gift, Handshake, MessageSquareText } from "lucide-react";
import { count, usd } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { Link } from "@/shared/ui/Link";
import { ProductImage } from "@/shared/ui/ProductImage";
import { type Place, virtualRow } from "@/shared/ui/rows";
import { Tag } from "@/shared/ui/Tag";
import type { OrderLine } from "./queries";
import type { ShownLine } from "./rules";

/** What the seller says of a line, below it. */
const WORD =
  "flex gap-8 rounded-2 wrap-anywhere text-13 col-[2/-1] py-7 px-11 [&_svg]:flex-none [&_svg]:mt-2";

export interface OfOrder {
  /** Its invoice code. */
  code: string;
  /** The seller's word on each line counts: it is confirmed, and not cancelled. */
  decided: boolean;
  /** Where its proposals are answered. */
  answer: string;
}

interface LineProps extends ShownLine, Omit<OfOrder, "code"> {
  onView: () => void;
  /** In a list that is drawn as far as visible. */
  place?: Place | undefined;
}

/** A line of an order, with the seller's words about it. */
export function OrderLineRow({ line, ordered, decided, answer, onView, place }: LineProps) {
  const free = line.tag === "Free offer";
  return (
    <li
      className={cx(
        "not-first:border-t border-line grid items-center grid-cols-[56px_minmax(0,1fr)_auto] gap-y-8 gap-x-14",
        "py-10 px-card",
        free && "bg-ok-bg forced-colors:border-l-3",
      )}
      {...(place && virtualRow(place))}
    >
      <button type="button" className="p-0 border-0 rounded-2 bg-transparent" onClick={onView}>
        <ProductImage image={line.image} side={56} />
        <span className="sr-only">View {line.eng_name}</span>
      </button>
      <div className="grid gap-4">
        <p className="font-medium wrap-anywhere">{line.eng_name}</p>
        <p
          className={cx(
            "flex flex-wrap text-13 gap-y-2 gap-x-12 tabular-nums",
            free ? "text-ink-2" : "text-ink-3",
          )}
        >
          <span>{line.sku}</span>
          {line.price > 0 && <span>USRP {usd(line.price)}</span>}
          <span>MOQ {count(line.box_qty)}</span>
          <span>
            Qty {count(line.count)}
            {ordered !== undefined && ` of ${count(ordered)} ordered`}
          </span>
        </p>
      </div>
      <div className="grid gap-4 justify-items-end">
        <strong className={cx("text-15 tabular-nums", free && "text-ok")}>
          {usd(line.order_price)}
        </strong>
        <LineTag line={line} decided={decided} />
      </div>
      {line.proposal && (
        <p className={cx(WORD, "justify-between bg-warn-bg text-warn phone:flex-col")}>
          <span>Proposed: {line.proposal.text}.</span>
          <Link
            className="flex-none font-medium"
            to={answer}
            aria-label={`Answer, ${line.eng_name}`}
          >
            Answer
          </Link>
        </p>
      )}
      {line.decided && (
        <p className={cx(WORD, "bg-sunken text-ink-2")}>
          <Handshake size={15} />
          {line.decided}
        </p>
      )}
      {line.comment && (
        <p className={cx(WORD, "bg-sunken text-ink-2")}>
          <MessageSquareText size={15} />
          {line.comment}
        </p>
      )}
    </li>
  );
}

/** The tag's text is the server's; it is good or bad only where the seller has decided. */
function LineTag({ line: { tag }, decided }: { line: OrderLine; decided: boolean }) {
  const tone = tag === "Not Confirmed" ? "warn" : "ok";
  const icon = tag === "Free offer" ? <Gift size={13} /> : undefined;
  return (
    <Tag tone={decided ? tone : "mute"} icon={icon}>
      {tag}
    </Tag>
  );
}
