import { expect, it } from "vitest";
import { missingShipFields, NO_ADDRESS, shipOf } from "./shipping";

const ADDRESS = {
  ship_country: 1,
  ship_state: 11,
  ship_city: "Warszawa",
  ship_address1: "ul. Lipowa 51",
  ship_address2: "lok. 14",
  ship_zipcode: "00-682",
  ship_phone: "+48 22 555 01 74",
};

it("takes the address alone out of a row", () => {
  expect(shipOf({ ...ADDRESS, company: "Glow Trading" } as typeof ADDRESS)).toEqual(ADDRESS);
});

it("names what an address lacks; the state and the second line may be empty", () => {
  expect(missingShipFields({ ...ADDRESS, ship_state: null, ship_address2: "" })).toEqual([]);
  expect(missingShipFields({ ...ADDRESS, ship_city: " ", ship_phone: "" })).toEqual([
    "ship_city",
    "ship_phone",
  ]);
  expect(missingShipFields(NO_ADDRESS)).toHaveLength(5);
});
