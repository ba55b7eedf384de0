import { NO_ADDRESS, type ShipFields } from "@/domain/shipping";

/** A company's own address: as a shipping address, without a phone. */
export interface CompanyAddress {
  country: number | null;
  state: number | null;
  city: string;
  address1: string;
  address2: string;
  zipcode: string;
}

/** What the visitor fills in, by the names of the sign-up's payload. */
export interface RegistrationFields extends CompanyAddress, ShipFields {
  password: string;
  confirm_password: string;
  company: string;
  manager: string;
  phone: string;
  business_type: number | null;
  sales_channel: string;
  terms: boolean;
  /** Of the terms that were read. */
  terms_version: number | null;
}

export const NO_PASSWORDS = { password: "", confirm_password: "" };

/** The form without its passwords. */
export type PublicFields = Omit<RegistrationFields, keyof typeof NO_PASSWORDS>;

export const EMPTY_FIELDS: PublicFields = {
  company: "",
  manager: "",
  phone: "",
  business_type: null,
  sales_channel: "",
  country: null,
  state: null,
  city: "",
  address1: "",
  address2: "",
  zipcode: "",
  ...NO_ADDRESS,
  terms: false,
  terms_version: null,
};

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

/**
 * The fields after a change. While `same` holds, the shipping address keeps in step with the
 * company's.
 */
export function changed(
  fields: PublicFields,
  changes: Partial<PublicFields>,
  same: boolean,
): PublicFields {
  const next = { ...fields, ...changes };
  return same ? { ...next, ...asShipping(next) } : next;
}
