import { useQuery } from "@tanstack/react-query";
import { MapPin, Pencil, Plus, Trash2 } from "lucide-react";
import { lazy } from "react";
import { addressBook, type BookAddress } from "@/api/addresses";
import type { Schemas } from "@/api/client";
import { confirm } from "@/shared/ui/alerts";
import { Button, IconButton } from "@/shared/ui/Button";
import { Card, CardHead, EmptyState, Loaded } from "@/shared/ui/Panels";
import { Part, usePopup } from "@/shared/ui/popup";
import { Tag } from "@/shared/ui/Tag";
import { useDeleteAddress, useMakeDefault } from "./queries";

const AddressDialog = lazy(() => import("./AddressDialog"));

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
  const remove = useDeleteAddress();
  const choose = useMakeDefault();
  if (addresses.length === 0) {
    const own = defaultOf(book);
    return (
      <EmptyState icon={MapPin} text="No saved addresses yet.">
        {own.ship_address1 && <p>Your orders go to the address you registered with:</p>}
        {own.ship_address1 && <AddressLines address={own} />}
      </EmptyState>
    );
  }
  const ask = async ({ address_id, name }: BookAddress) => {
    if (await confirm(`Delete the address “${name}”?`)) remove.mutate(address_id);
  };
  return (
    <ul className="grid gap-14 grid-cols-[repeat(auto-fill,minmax(min(100%,340px),1fr))] py-16 px-card">
      {addresses.map((address) => (
        <li
          key={address.address_id}
          className="grid gap-8 border border-line rounded-3 wrap-anywhere text-ink-2
            content-center justify-items-start pt-12 pb-16 px-16 data-default:border-graphic"
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
            <p className="text-13">Used for new orders unless you choose another at checkout.</p>
          ) : (
            <Button
              size="small"
              variant="soft"
              busy={choose.isPending && choose.variables === address.address_id}
              aria-label={`Make default, ${address.name}`}
              onClick={() => choose.mutate(address.address_id)}
            >
              Make default
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

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
