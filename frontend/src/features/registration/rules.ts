/** The form's rules that must speak before a call is made (specification section 5, Registration). The server decides again. */
import { NO_ADDRESS, type ShipFields } from "@/domain/shipping";
import { limits } from "@/shared/limits";
import * as texts from "@/shared/texts";

/** A company's own address: as a shipping address, without a phone. */
const NO_COMPANY_ADDRESS = {
  country: null as number | null,
  state: null as number | null,
  city: "",
  address1: "",
  address2: "",
  zipcode: "",
};
type CompanyAddress = typeof NO_COMPANY_ADDRESS;

export const NO_PASSWORDS = { password: "", confirm_password: "" };

/** The form without its passwords, by the names of the sign-up's payload. */
export const EMPTY_FIELDS = {
  company: "",
  manager: "",
  phone: "",
  business_type: null as number | null,
  sales_channel: "",
  ...NO_COMPANY_ADDRESS,
  ...NO_ADDRESS,
  terms: false,
  /** Of the terms that were read. */
  terms_version: null as number | null,
};
export type PublicFields = typeof EMPTY_FIELDS;

export type RegistrationFields = PublicFields & typeof NO_PASSWORDS;

/** What is said at a field, by its name. */
export type FieldErrors = Partial<Record<string, string>>;

/** A certificate that the server holds: its stored name, and what the visitor knows it by. */
export interface Certificate {
  file_name: string;
  name: string;
  /** Bytes; unknown for one that was sent with an earlier registration. */
  size?: number | undefined;
}

/** The company's address as the shipping address that it stands for; the phone is not part of it. */
export function asShipping(fields: CompanyAddress): Omit<ShipFields, "ship_phone"> {
  return {
    ship_country: fields.country,
    ship_state: fields.state,
    ship_city: fields.city,
    ship_address1: fields.address1,
    ship_address2: fields.address2,
    ship_zipcode: fields.zipcode,
  };
}

/** Changes of a company's address that came from fields named as those of a shipping address. */
export function asCompany(changes: Partial<ShipFields>): Partial<CompanyAddress> {
  const renamed = Object.entries(changes).map(([name, value]) => [
    name.slice("ship_".length),
    value,
  ]);
  return Object.fromEntries(renamed) as Partial<CompanyAddress>;
}

/** What the alert says: the first that applies. */
export const ALERTS = [texts.fillIn, texts.signUpPasswordTooShort, texts.signUpPasswordsDiffer];

export function alertOf(faults: FieldErrors): string | undefined {
  const said = Object.values(faults);
  if (said.includes(texts.fieldRequired)) return texts.fillIn;
  return ALERTS.find((text) => said.includes(text));
}

/** What is wrong before the form is sent, by field: required ones that are empty, passwords that are short or differ. */
export function faultsIn(form: HTMLFormElement, passwords: typeof NO_PASSWORDS): FieldErrors {
  const { password, confirm_password } = passwords;
  const faults: FieldErrors = {};
  const required = form.querySelectorAll<HTMLInputElement>("[name]:required");
  for (const { name, type, value, validity } of required) {
    // A password is taken as it is: blanks count.
    const isBlank = type !== "password" && !value.trim();
    if (validity.valueMissing || isBlank) faults[name] = texts.fieldRequired;
  }
  // Characters, as the server counts them: one outside the basic plane has length 2 here.
  if (password && [...password].length < limits.min_password) {
    faults.password = texts.signUpPasswordTooShort;
  }
  if (password && confirm_password && password !== confirm_password) {
    faults.confirm_password = texts.signUpPasswordsDiffer;
  }
  return faults;
}

/** Whether a company's address can be shipped to; a state is needed where the country has any. */
export function isCompleteAddress(address: CompanyAddress, hasStates: boolean): boolean {
  const { country, state, city, address1, address2, zipcode } = address;
  const hasTexts = [city, address1, address2, zipcode].every((text) => text.trim());
  return hasTexts && country !== null && (state !== null || !hasStates);
}

/** Whether a file (bytes) is small enough to be a certificate. */
export const fits = (size: number): boolean => size <= limits.max_certificate_bytes;
