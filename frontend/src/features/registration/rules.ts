/**
 * The form's rules that must speak before a call is made. The server decides again; the table of
 * examples in apps/accounts pins both sides (specification section 5, Registration).
 */
import { REQUIRED_SHIP_FIELDS } from "@/domain/shipping";
import { limits } from "@/shared/limits";
import type { CompanyAddress, RegistrationFields } from "./fields";

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
  const found = Object.values(problems);
  const order: RegistrationProblem[] = [
    "elements_missing",
    "sign_up_password_too_short",
    "sign_up_passwords_differ",
  ];
  return order.find((problem) => found.includes(problem));
}

function isEmpty(name: FieldName, value: RegistrationFields[FieldName]): boolean {
  // A password is taken as it is: blanks count.
  if (name === "password" || name === "confirm_password") return !value;
  return typeof value === "string" ? !value.trim() : !value;
}

/**
 * Whether a company's address is complete enough to be shipped to. A state is asked for where the
 * country has any.
 */
export function isCompleteAddress(address: CompanyAddress, hasStates: boolean): boolean {
  const texts = [address.city, address.address1, address.address2, address.zipcode];
  if (address.country === null || texts.some((text) => !text.trim())) return false;
  return address.state !== null || !hasStates;
}

/** Whether a file (bytes) is small enough to be a certificate. */
export function fits(size: number): boolean {
  return size <= limits.max_certificate_bytes;
}
