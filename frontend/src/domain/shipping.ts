/** A shipping address with nothing in it. Every call names these fields; country and state are `address_id`s. */
export const NO_ADDRESS = {
  ship_country: null as number | null,
  ship_state: null as number | null,
  ship_city: "",
  ship_address1: "",
  ship_address2: "",
  ship_zipcode: "",
  ship_phone: "",
};

/** A shipping address as the calls carry it. */
export type ShipFields = typeof NO_ADDRESS;
export type ShipField = keyof ShipFields;

const NAMES = Object.keys(NO_ADDRESS) as ShipField[];

/** The fields without which nothing can be shipped, in the order in which they are named to the buyer. */
export const REQUIRED_SHIP_FIELDS: readonly ShipField[] = [
  "ship_country",
  "ship_city",
  "ship_address1",
  "ship_zipcode",
  "ship_phone",
];

/** The shipping address of a row that holds more than that. */
export function shipOf(row: ShipFields): ShipFields {
  return Object.fromEntries(NAMES.map((name) => [name, row[name]])) as ShipFields;
}

/** The fields that an order's address needs and that are empty. */
export function missingShipFields(address: ShipFields): ShipField[] {
  return REQUIRED_SHIP_FIELDS.filter((name) => !String(address[name] ?? "").trim());
}
