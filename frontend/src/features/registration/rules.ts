/**
 * The form's rules that must speak before a call is made. The server decides again; the table of
 * examples in apps/accounts pins both sides (specification section 5, Registration).
 */
import { NO_ADDRESS, REQUIRED_SHIP_FIELDS, type ShipFields } from "@/domain/shipping";
import { limits } from "@/shared/limits";

/** A company's own address: as a shipping address, without a phone. */
const NO_COMPANY_ADDRESS = {
  country: null as number | null,
  state: null as number | null,
  city: "",
  address1: "",
  address2: "",
  zipcode: "",
};
export type CompanyAddress = typeof NO_COMPANY_ADDRESS;

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

/** The fields after a change; while `same` holds, the shipping address follows the company's. */
export function changed(fields: PublicFields, changes: Partial<PublicFields>, same: boolean) {
  const next = { ...fields, ...changes };
  return same ? { ...next, ...asShipping(next) } : next;
}

export type RegistrationProblem =
  | "elements_missing"
  | "sign_up_password_too_short"
  | "sign_up_passwords_differ";
type FieldName = keyof RegistrationFields;

const REQUIRED: readonly FieldName[] = [
  "password",
  "confirm_password",
  "company",
  "manager",
  "phone",
  "sales_channel",
  "country",
  "city",
  "address1",
  ...REQUIRED_SHIP_FIELDS,
  "terms",
];

/** What is wrong, by field; empty when the form can be sent. */
export type RegistrationProblems = Partial<Record<FieldName, RegistrationProblem>>;

export function checkRegistration(fields: RegistrationFields): RegistrationProblems {
  const problems: RegistrationProblems = {};
  for (const name of REQUIRED) {
    if (isEmpty(name, fields[name])) problems[name] = "elements_missing";
  }
  const { password, confirm_password } = fields;
  // Characters, as the server counts them: one outside the basic plane has length 2 here.
  if (password && [...password].length < limits.min_password) {
    problems.password = "sign_up_password_too_short";
  }
  if (password && confirm_password && password !== confirm_password) {
    problems.confirm_password = "sign_up_passwords_differ";
  }
  return problems;
}

/** The problem that the alert names: the first in the order of the specification. */
export function firstProblem(problems: RegistrationProblems): RegistrationProblem | undefined {
  const present = Object.values(problems);
  const order: RegistrationProblem[] = [
    "elements_missing",
    "sign_up_password_too_short",
    "sign_up_passwords_differ",
  ];
  return order.find((problem) => present.includes(problem));
}

function isEmpty(name: FieldName, value: RegistrationFields[FieldName]): boolean {
  // A password is taken as it is: blanks count.
  if (name === "password" || name === "confirm_password") return !value;
  return typeof value === "string" ? !value.trim() : !value;
}

/** Whether a company's address can be shipped to; a state is needed where the country has any. */
export function isCompleteAddress(address: CompanyAddress, hasStates: boolean): boolean {
  const texts = [address.city, address.address1, address.address2, address.zipcode];
  if (address.country === null || texts.some((text) => !text.trim())) return false;
  return address.state !== null || !hasStates;
}

/** Whether a file (bytes) is small enough to be a certificate. */
export const fits = (size: number): boolean => size <= limits.max_certificate_bytes;
