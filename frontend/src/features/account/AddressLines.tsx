import type { BookAddress } from "@/api/addresses";

type Lines = Pick<
  BookAddress,
  "ship_address1" | "ship_address2" | "ship_zipcode" | "ship_city" | "ship_phone" | "country"
> & { state?: string; company?: string };

/** A postal address, a line for each of its parts. */
export function AddressLines({ address }: { address: Lines }) {
  return (
    <address>
      {address.company && (
        <>
          {address.company}
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
