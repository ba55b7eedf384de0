import { useQuery } from "@tanstack/react-query";
import { Bookmark, Ellipsis } from "lucide-react";
import { counted, usd } from "@/domain/figures";
import { ButtonLink } from "@/shared/ui/Button";
import { MenuButton } from "@/shared/ui/MenuButton";
import { Card, CardHead, EmptyState, Loaded } from "@/shared/ui/Panels";
import { usePopup } from "@/shared/ui/popup";
import BasketNameDialog from "./BasketNameDialog";
import type { SavedBasket } from "./keep-basket";
import {
  factsOf,
  nameOf,
  SavedIcon,
  savedBasketLink,
  savedBaskets,
  useBasketActions,
} from "./saved-baskets";

const LINKS = [
  ["open", "Open"],
  ["add", "Add"],
] as const;

/** /account/baskets: the baskets that were put by, to open, add, rename, share and delete. */
export default function BasketsPart() {
  const list = useQuery(savedBaskets());
  const naming = usePopup<SavedBasket>();
  const entriesOf = useBasketActions(naming.show);
  const row = (saved: SavedBasket) => (
    <li
      key={saved.uuid}
      className="grid items-center border-b border-line grid-cols-[38px_minmax(0,1fr)_auto_auto]
            gap-y-4 gap-x-14 py-11 px-18 last:border-b-0
            phone:grid-cols-[38px_minmax(0,1fr)_auto] phone:px-16"
    >
      <span className="grid place-items-center rounded-2 bg-accent-soft h-38 text-brand">
        <SavedIcon saved={saved} />
      </span>
      <div
        className="wrap-anywhere
              [&_h3]:text-14 [&_h3]:font-medium [&_p]:text-ink-2 [&_p]:text-13"
      >
        <h3>{nameOf(saved)}</h3>
        <p>
          {factsOf(saved)} · {counted(saved.pieces, "piece")}
        </p>
      </div>
      <strong className="tabular-nums">{usd(saved.total)}</strong>
      <div className="flex gap-6 items-center phone:col-[2/-1]">
        {LINKS.map(([how, label]) => (
          <ButtonLink
            key={how}
            size="small"
            to={savedBasketLink(saved.uuid, how)}
            aria-label={`${label}, ${nameOf(saved)}`}
          >
            {label}
          </ButtonLink>
        ))}
        {saved.is_own === 1 && (
          <MenuButton
            square
            size="small"
            variant="ghost"
            aria-label={`More, ${nameOf(saved)}`}
            icon={<Ellipsis />}
            entries={entriesOf(saved)}
          />
        )}
      </div>
    </li>
  );
  return (
    <Card aria-labelledby="baskets" aria-busy={list.isFetching}>
      <CardHead title="Baskets" id="baskets" />
      <Loaded query={list} height={180}>
        {(baskets) =>
          baskets.length > 0 ? (
            <ul>{baskets.map(row)}</ul>
          ) : (
            <EmptyState icon={Bookmark} text="No saved baskets yet.">
              <p>Save a basket by name from the menu of the order page.</p>
            </EmptyState>
          )
        }
      </Loaded>
      {naming.subject && (
        <BasketNameDialog key={naming.number} {...naming.dialog} saved={naming.subject} />
      )}
    </Card>
  );
}
