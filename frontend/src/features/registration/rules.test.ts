import { expect, it } from "vitest";
import { vectors } from "@/test/vectors";
import { fileSize } from "./CertificateField";
import {
  asShipping,
  changed,
  checkRegistration,
  EMPTY_FIELDS,
  firstProblem,
  fits,
  isCompleteAddress,
  type RegistrationFields,
} from "./rules";

interface Row {
  source: string;
  form: RegistrationFields & { email: string };
  refusal: string | null;
  errors: Record<string, string>;
}

// The address is the link's: this form has no way to send another, or none.
const rows = vectors<Row>("accounts/sign_up").filter(({ form }) => form.email);

it.each(rows)("sign-up, $source", ({ form, refusal, errors }) => {
  const problems = checkRegistration(form);
  expect(firstProblem(problems) ?? null).toBe(refusal);
  expect(problems).toEqual(errors);
});

const ADDRESS = {
  country: 1,
  state: 11,
  city: "Warszawa",
  address1: "ul. Lipowa 51",
  address2: "lok. 14",
  zipcode: "00-682",
};

it("an address can be shipped to when all of it is filled in, a state where there are any", () => {
  expect(isCompleteAddress(ADDRESS, true)).toBe(true);
  expect(isCompleteAddress({ ...ADDRESS, state: null }, true)).toBe(false);
  expect(isCompleteAddress({ ...ADDRESS, state: null }, false)).toBe(true);
  for (const name of ["city", "address1", "address2", "zipcode"]) {
    expect(isCompleteAddress({ ...ADDRESS, [name]: " " }, true)).toBe(false);
  }
  expect(isCompleteAddress({ ...ADDRESS, country: null }, false)).toBe(false);
});

it("the shipping address keeps in step while it is the same, and only then", () => {
  const fields = { ...EMPTY_FIELDS, ...ADDRESS, ...asShipping(ADDRESS), ship_phone: "1" };
  const moved = changed(fields, { city: "Gdynia" }, true);
  expect(moved.ship_city).toBe("Gdynia");
  expect(moved.ship_phone).toBe("1");
  expect(changed(fields, { city: "Gdynia" }, false).ship_city).toBe("Warszawa");
});

it("a file of exactly 5 MB fits, one byte more does not", () => {
  expect(fits(5 * 1024 * 1024)).toBe(true);
  expect(fits(5 * 1024 * 1024 + 1)).toBe(false);
});

it.each([
  [0, "1 KB"],
  [348_160, "340 KB"],
  [1_887_437, "1.8 MB"],
])("%i bytes read as %s", (bytes, text) => {
  expect(fileSize(bytes)).toBe(text);
});
