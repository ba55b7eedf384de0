import { useQuery } from "@tanstack/react-query";
import { addressBook, type BookAddress } from "@/api/addresses";
import { useUser } from "@/api/session";
import { ButtonLink } from "@/shared/ui/Button";
import { Card, CardHead } from "@/shared/ui/Card";

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

/** What the buyer's orders begin with; it need not be in the company's book. */
export function DefaultAddress() {
  const { company } = useUser();
  const { data } = useQuery(addressBook);
  if (!data) return null;
  const { ship_country } = data.default;
  const country = data.countryList.find(({ address_id }) => address_id === ship_country)?.content;
  const found = data.addresses.find(({ is_default }) => is_default) ?? {
    ...data.default,
    country: country ?? "",
  };
  return (
    <Card aria-labelledby="default-address">
      <CardHead title="Default address" id="default-address">
        <ButtonLink size="small" to="/account/addresses" aria-label="Change, default address">
          Change
        </ButtonLink>
      </CardHead>
      <div className="px-card py-14 wrap-anywhere">
        {found.ship_address1 ? <AddressLines address={{ ...found, company }} /> : "None yet."}
      </div>
    </Card>
  );
}
