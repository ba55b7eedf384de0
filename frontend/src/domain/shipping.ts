/** A shipping address as the calls carry it: country and state by `address_id`. */
export interface ShipFields {
  ship_country: number | null;
  ship_state: number | null;
  ship_city: string;
  ship_zipcode: string;
  ship_address1: string;
  ship_address2: string;
  ship_phone: string;
}

const REQUIRED: readonly (keyof ShipFields)[] = [
  "ship_country",
  "ship_city",
  "ship_address1",
  "ship_zipcode",
  "ship_phone",
];

/** The fields that an order's address needs and that are empty. */
export function missingShipFields(address: ShipFields): (keyof ShipFields)[] {
  return REQUIRED.filter((name) => !String(address[name] ?? "").trim());
}
