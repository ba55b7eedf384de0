import { Heart, Trash2 } from "lucide-react";
import { count, dayText } from "@/domain/figures";
import { orderPath } from "@/domain/orders";
import { confirm } from "@/shared/ui/alerts";
import { ButtonLink, IconButton } from "@/shared/ui/Button";
import { Link } from "@/shared/ui/Link";
import { EmptyState } from "@/shared/ui/Panels";
import { Tag, type Tone } from "@/shared/ui/Tag";
import { openWishes, useDropWish, type Wish } from "./queries";
import { SearchedList } from "./SearchedList";
import tables from "./Table.module.css";
import { TableHead } from "./TableHead";

const TONES: Record<Wish["why"], Tone> = {
  sold_out: "warn",
  cut: "warn",
  declined: "mute",
  later: "info",
  unknown_sku: "mute",
};

/** /account/wishes, "Waiting list" on the screen: what the company wanted and did not get, the oldest first. */
export function WishesPart() {
  const drop = useDropWish();
  const ask = async (wish: Wish, button: HTMLElement) => {
    const question = `Remove ${count(wish.count)} × ${nameOf(wish)} from the waiting list?`;
    if (await confirm(question))
      drop.mutate(wish.wish_id, { onSuccess: () => focusBeside(button) });
  };
  return (
    <SearchedList
      id="wishes"
      title="Waiting list"
      note="Products you could not get yet. We reserve them for you as they come in."
      label="Search product, SKU, order"
      pagesOf={openWishes}
      rowsOf={({ wishes }) => wishes}
      className={tables.wishes}
      head={
        <TableHead
          columns={["Product", "Pieces", "Reason", "Since", "Order"]}
          figures={["Pieces"]}
          hasActions
        />
      }
      empty={
        <EmptyState icon={Heart} text="Your waiting list is empty.">
          <p>Products that are sold out, short-shipped or promised for later appear here.</p>
          <ButtonLink to="/order">Choose products</ButtonLink>
        </EmptyState>
      }
    >
      {(wish) => (
        <tr key={wish.wish_id}>
          <th scope="row">
            {nameOf(wish)}
            {wish.eng_name && <span className={tables.second}>{wish.sku}</span>}
          </th>
          <td className={tables.number}>
            {count(wish.count)}
            <span className={tables.unit}> {wish.count === 1 ? "piece" : "pieces"}</span>
            {wish.held > 0 && (
              <span className={tables.second}>
                {count(wish.held)} reserved {wish.held_text}
              </span>
            )}
          </td>
          <td>
            <Tag tone={TONES[wish.why]}>{wish.why_text}</Tag>
            {wish.expected_text && (
              <span className={tables.second}>about {wish.expected_text}</span>
            )}
          </td>
          <td className={tables.quiet}>{dayText(wish.since)}</td>
          <td className={tables.quiet}>
            {wish.invoice_code && (
              <Link to={orderPath(wish.invoice_code)}>{wish.invoice_code}</Link>
            )}
          </td>
          <td className={tables.number}>
            <IconButton
              label={`Remove ${nameOf(wish)}`}
              icon={Trash2}
              onClick={({ currentTarget }) => void ask(wish, currentTarget)}
            />
          </td>
        </tr>
      )}
    </SearchedList>
  );
}

/** Before a row goes: the focus moves to the same button of the next row or the one before, else to the search. */
function focusBeside(button: HTMLElement): void {
  const row = button.closest("tr");
  const beside = row?.nextElementSibling ?? row?.previousElementSibling;
  const search = button.closest("[aria-labelledby]")?.querySelector("input");
  (beside?.querySelector("button") ?? search)?.focus();
}

const nameOf = ({ eng_name, sku }: Wish) => eng_name || sku;
