import { Info, RefreshCw, X } from "lucide-react";
import { useMemo, useSyncExternalStore } from "react";
import { type Restored as RestoredBasket, restoredBasket, basket as store } from "@/domain/basket";
import { counted, count as pieces, usd } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { shortDay } from "@/shared/dates";
import { IconButton } from "@/shared/ui/Button";
import type { Basket, BasketItem, Note } from "./use-basket";

const NOTICE = cx(
  "flex gap-8 border-b border-line text-13 py-10 pr-8 pl-14 bg-warn-bg text-warn",
  "[&>div]:flex-1 [&>div]:pt-1 [&>div]:wrap-anywhere [&>svg]:flex-none [&>svg]:mt-2",
  // The button is as high as a line of text, so that one line stands beside its middle.
  "[&>button]:-my-8 [&_li]:mt-4 [&_strong]:font-medium",
);

/** What a buyer is told above the lines of the basket. */
export default function BasketNotices({ basket }: { basket: Basket }) {
  return (
    <>
      {basket.notes.length > 0 && <Notes notes={basket.notes} onDismiss={() => basket.tell([])} />}
      <Restored basket={basket} />
    </>
  );
}

/** What is not as it was when it was chosen or ordered. */
function Notes({ notes, onDismiss }: { notes: readonly Note[]; onDismiss: () => void }) {
  return (
    <div className={NOTICE} role="status">
      <Info />
      <div>
        <p>{counted(notes.length, "change")} since last time</p>
        <ul>
          {notes.map(({ name, text }) => (
            <li key={name}>
              <strong>{name}</strong> {text}
            </li>
          ))}
        </ul>
      </div>
      <Dismiss onDismiss={onDismiss} />
    </div>
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
    <div
      className={cx(NOTICE, "bg-info-bg text-info", "[&_li]:text-ink-2 [&_strong]:text-ink")}
      role="status"
    >
      <RefreshCw />
      <div>
        <strong>
          Restored. {counted(changes.length, "line")} changed since {shortDay(restored.since)}.
        </strong>
        <ul>
          {changes.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>
      </div>
      <Dismiss onDismiss={restoredBasket.dismiss} />
    </div>
  );
}

function changeOf({ product, count, short, formerPrice }: BasketItem, before: RestoredBasket) {
  const changes: string[] = [];
  if (formerPrice !== undefined) changes.push(`${usd(formerPrice)} to ${usd(product.usd_supply)}`);
  // What the buyer has typed since is no news.
  if (short && before.counts?.[product.sku] === count && !before.short.includes(product.sku)) {
    const left = product.qty > 0 ? `only ${pieces(product.qty)} in stock` : "sold out";
    changes.push(`${pieces(count)} chosen, ${left}`);
  }
  return changes.length > 0 ? `${product.eng_name}: ${changes.join("; ")}` : undefined;
}

function Dismiss({ onDismiss }: { onDismiss: () => void }) {
  return <IconButton label="Dismiss" icon={X} onClick={onDismiss} />;
}
