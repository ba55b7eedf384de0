import { Info, type LucideIcon, RefreshCw, X } from "lucide-react";
import { type ReactNode, useMemo, useSyncExternalStore } from "react";
import { type Restored as RestoredBasket, restoredBasket, basket as store } from "@/domain/basket";
import { counted, count as pieces, shortDay, usd } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { IconButton } from "@/shared/ui/Button";
import type { Basket, BasketItem } from "./use-basket";

/** What a buyer is told above the lines of the basket. */
export default function BasketNotices({ basket }: { basket: Basket }) {
  return (
    <>
      {basket.notes.length > 0 && (
        <Notice icon={Info} onDismiss={() => basket.tell([])}>
          <p>{counted(basket.notes.length, "change")} since last time</p>
          <ul>
            {basket.notes.map(({ name, text }) => (
              <li key={name}>
                <strong>{name}</strong> {text}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <Restored basket={basket} />
    </>
  );
}

/** That the basket came back at the sign-in, with what of its lines has changed since it was edited. */
function Restored({ basket }: { basket: Basket }) {
  const text = useSyncExternalStore(store.subscribe, restoredBasket.text);
  const restored = useMemo(() => (text ? (JSON.parse(text) as RestoredBasket) : undefined), [text]);
  if (!restored || !basket.ready || basket.items.length === 0) return null;
  const changes = basket.items.flatMap((item) => changeOf(item, restored) ?? []);
  if (changes.length === 0) return null;
  return (
    <Notice
      icon={RefreshCw}
      className="bg-info-bg text-info [&_li]:text-ink-2 [&_strong]:text-ink"
      onDismiss={restoredBasket.dismiss}
    >
      <strong>
        Restored. {counted(changes.length, "line")} changed since {shortDay(restored.since)}.
      </strong>
      <ul>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </Notice>
  );
}

function changeOf({ product, count, short, formerPrice }: BasketItem, before: RestoredBasket) {
  const changes: string[] = [];
  if (formerPrice !== undefined) changes.push(`${usd(formerPrice)} to ${usd(product.usd_supply)}`);
  // What the buyer has typed since is no news.
  if (short && before.counts?.[product.sku] === count && !before.short.includes(product.sku)) {
    const stockText = product.qty > 0 ? `only ${pieces(product.qty)} in stock` : "sold out";
    changes.push(`${pieces(count)} chosen, ${stockText}`);
  }
  return changes.length > 0 ? `${product.eng_name}: ${changes.join("; ")}` : undefined;
}

interface NoticeProps {
  icon: LucideIcon;
  className?: string;
  children: ReactNode;
  onDismiss: () => void;
}

function Notice({ icon: Icon, className, children, onDismiss }: NoticeProps) {
  return (
    <div
      // The button is as high as a line of text, so that one line stands beside its middle.
      className={cx(
        "flex gap-8 border-b border-line text-13 py-10 pr-8 pl-14 bg-warn-bg text-warn",
        "[&>div]:flex-1 [&>div]:pt-1 [&>div]:wrap-anywhere [&>svg]:flex-none [&>svg]:mt-2",
        "[&>button]:-my-8 [&_li]:mt-4 [&_strong]:font-medium",
        className,
      )}
      role="status"
    >
      <Icon />
      <div>{children}</div>
      <IconButton label="Dismiss" icon={X} onClick={onDismiss} />
    </div>
  );
}
