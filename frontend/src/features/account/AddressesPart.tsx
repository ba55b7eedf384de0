import { useQuery, useQueryClient } from "@tanstack/react-query";
import { MapPin, Pencil, Plus, Trash2 } from "lucide-react";
import { lazy } from "react";
import { addressBook, type BookAddress } from "@/api/addresses";
import type { Schemas } from "@/api/client";
import { confirm } from "@/shared/ui/alerts";
import { Button, IconButton } from "@/shared/ui/Button";
import { Card, CardHead, EmptyState, Loaded } from "@/shared/ui/Panels";
import { Part, usePopup } from "@/shared/ui/popup";
import { Tag } from "@/shared/ui/Tag";
import { toast } from "@/shared/ui/toasts";
import { useDeleteAddress, useMakeDefault } from "./queries";

const AddressDialog = lazy(() => import("./AddressDialog"));

const CARD = `grid gap-8 border border-line rounded-3 wrap-anywhere text-ink-2
  content-center justify-items-start pt-12 pb-16 px-16 data-default:border-graphic`;
const USED = "Used for new orders unless you choose another at checkout.";

/** /account/addresses: the company's address book; one of them is what the buyer's orders begin with. */
export function AddressesPart() {
  const book = useQuery(addressBook);
  const popup = usePopup<BookAddress | null>();
  return (
    <Card aria-labelledby="addresses" aria-busy={book.isFetching}>
      <CardHead title="Addresses" id="addresses">
        <Button size="small" icon={<Plus />} disabled={!book.data} onClick={() => popup.show(null)}>
          Add address
        </Button>
      </CardHead>
      <Loaded
        query={book}
        className="grid gap-14 grid-cols-[repeat(auto-fill,minmax(min(100%,340px),1fr))] py-16 px-card"
      >
        {(data) => <Addresses {...data} onEdit={popup.show} />}
      </Loaded>
      <Part>
        {popup.subject !== undefined && book.data && (
          <AddressDialog
            key={popup.number}
            {...popup.dialog}
            address={popup.subject}
            countries={book.data.countryList}
          />
        )}
      </Part>
    </Card>
  );
}

/** The book, and what orders begin with, which need not be in it. */
type AddressesProps = Schemas["AddressBook"] & { onEdit: (address: BookAddress) => void };

function Addresses({ onEdit, ...book }: AddressesProps) {
  const { addresses } = book;
  const client = useQueryClient();
  const remove = useDeleteAddress();
  const choose = useMakeDefault();
  const own = defaultOf(book);
  if (addresses.length === 0) {
    return (
      <EmptyState icon={MapPin} text="No saved addresses yet.">
        {own.ship_address1 && <p>Your orders go to this address:</p>}
        {own.ship_address1 && <AddressLines address={own} />}
      </EmptyState>
    );
  }
  const makeDefault = ({ address_id, name }: BookAddress) => {
    const undo = async () => {
      const now = await client.fetchQuery({ ...addressBook, staleTime: 0 });
      const former = now.addresses.find((one) => isSamePlace(one, book.default));
      if (former) choose.mutate(former.address_id);
    };
    const told = () => toast(`Orders go to “${name}” now.`, () => void undo());
    choose.mutate(address_id, { onSuccess: told });
  };
  const ask = async ({ address_id, name }: BookAddress) => {
    if (await confirm(`Delete the address “${name}”?`)) remove.mutate(address_id);
  };
  return (
    <ul className="grid gap-14 grid-cols-[repeat(auto-fill,minmax(min(100%,340px),1fr))] py-16 px-card">
      {own.ship_address1 && !addresses.some(({ is_default }) => is_default) && (
        <li className={CARD} data-default>
          <header className="flex gap-8 items-center w-full">
            <h3 className="text-ink">Registered address</h3>
            <Tag tone="accent">Default</Tag>
          </header>
          <AddressLines address={own} />
          <p className="text-13">{USED}</p>
        </li>
      )}
      {addresses.map((address) => (
        <li
          key={address.address_id}
          className={CARD}
          data-default={address.is_default || undefined}
        >
          <header className="flex gap-8 items-center w-full [&>button:first-of-type]:ml-auto">
            <h3 className="text-ink">{address.name}</h3>
            {address.is_default && <Tag tone="accent">Default</Tag>}
            <IconButton
              label={`Change ${address.name}`}
              icon={Pencil}
              onClick={() => onEdit(address)}
            />
            <IconButton
              label={`Delete ${address.name}`}
              icon={Trash2}
              onClick={() => void ask(address)}
            />
          </header>
          <AddressLines address={address} />
          {address.is_default ? (
            <p className="text-13">{USED}</p>
          ) : (
            <Button
              size="small"
              variant="soft"
              busy={choose.isPending && choose.variables === address.address_id}
              aria-label={`Make default, ${address.name}`}
              onClick={() => makeDefault(address)}
            >
              Make default
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

type Place = Schemas["AddressBook"]["default"];

const isSamePlace = (one: Place, other: Place): boolean =>
  (Object.keys(other) as (keyof Place)[]).every((name) => one[name] === other[name]);

/** The address that orders begin with; it need not be in the book. */
export function defaultOf({ addresses, default: own, countryList }: Schemas["AddressBook"]) {
  const country = countryList.find(({ address_id }) => address_id === own.ship_country)?.content;
  return addresses.find(({ is_default }) => is_default) ?? { ...own, country: country ?? "" };
}

export function AddressLines(props: { address: Partial<BookAddress>; company?: string }) {
  const { address, company } = props;
  return (
    <address>
      {company && (
        <>
          {company}
          <br />
        </>
      )}
      {[address.ship_address1, address.ship_address2].filter(Boolean).join(", ")}
      <br />
      {address.ship_zipcode} {address.ship_city},{" "}
      {[address.state, address.country].filter(Boolean).join(", ")}
      <br />
      {address.ship_phone}
    </address>
  );
}
