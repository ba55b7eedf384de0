import { expect, it } from "vitest";
import { fileSize } from "./CertificateField";
import { alertOf, faultsIn, fits, isCompleteAddress } from "./rules";

it("blanks fill in no required field but a password", () => {
  const form = document.createElement("form");
  form.innerHTML = `
    <input name="company" required value=" "> <input name="manager" required value="Ines">
    <input name="phone" value=""> <input name="password" type="password" required value="        ">
    <select name="country" required disabled><option value=""></option></select>
    <input name="terms" type="checkbox" required>`;
  const missing = faultsIn(form, { password: "        ", confirm_password: "" });
  expect(Object.keys(missing)).toEqual(["company", "country", "terms"]);
  expect(alertOf(missing)).toBe("Please fill in all the necessary elements");
  // Characters are counted: one outside the basic plane has length 2.
  const short = faultsIn(document.createElement("form"), {
    password: "🧴🧴🧴🧴",
    confirm_password: "🧴",
  });
  expect(Object.keys(short)).toEqual(["password", "confirm_password"]);
  expect(alertOf(short)).toBe("Password must be at least 8 characters long");
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
