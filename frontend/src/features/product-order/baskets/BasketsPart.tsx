import { useQuery } from "@tanstack/react-query";
import { Bookmark, Ellipsis } from "lucide-react";
import { useState } from "react";
import { counted, usd } from "@/domain/figures";
import { ButtonLink } from "@/shared/ui/Button";
import { Segmented } from "@/shared/ui/Choice";
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

const AUDIENCES = [
  { value: "all", label: "All" },
  { value: "mine", label: "Mine" },
  { value: "shared", label: "Shared" },
] as const;
type Audience = (typeof AUDIENCES)[number]["value"];

const matchesAudience: Readonly<Record<Audience, (saved: SavedBasket) => boolean>> = {
  all: () => true,
  mine: ({ is_own }) => is_own === 1,
  shared: ({ is_own, is_shared }) => is_own === 0 || is_shared === 1,
};

const LINKS = [
  ["open", "Open"],
  ["add", "Add"],
] as const;

/** /account/baskets: the baskets that were put by, to open, add, rename, share and delete. */
export default function BasketsPart() {
  const list = useQuery(savedBaskets());
  const [audience, setAudience] = useState<Audience>("all");
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
      <CardHead title="Baskets" id="baskets">
        <Segmented
          legend="Whose baskets"
          value={audience}
          onChange={setAudience}
          options={AUDIENCES}
        />
      </CardHead>
      <Loaded query={list} height={180}>
        {(data) => {
          const baskets = data.filter(matchesAudience[audience]);
          if (baskets.length > 0) return <ul>{baskets.map(row)}</ul>;
          return (
            <EmptyState icon={Bookmark} text="No saved baskets yet.">
              <p>Save a basket by name from the menu of the order page.</p>
            </EmptyState>
          );
        }}
      </Loaded>
      {naming.subject && (
        <BasketNameDialog key={naming.number} {...naming.dialog} saved={naming.subject} />
      )}
    </Card>
  );
}
