import { useQuery } from "@tanstack/react-query";
import { addressBook } from "@/api/addresses";
import { useUser } from "@/api/session";
import { ButtonLink } from "@/shared/ui/Button";
import { Card, CardHead } from "@/shared/ui/Card";
import { AddressLines } from "./AddressLines";

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
