import type { RefObject } from "react";
import type { components } from "@/api/schema.gen";
import type { ShipField, ShipFields } from "@/domain/shipping";
import { cx } from "@/shared/cx";
import { limits } from "@/shared/limits";
import { Options, SelectField, TextField } from "./Field";

type Entry = components["schemas"]["AddressEntry"];

interface AddressFieldsProps {
  value: ShipFields;
  /** Told what changed; another country has cleared the state. */
  onChange: (changes: Partial<ShipFields>) => void;
  errorOf: (name: ShipField) => string | undefined;
  countries: readonly Entry[];
  /** Of the chosen country; the field is disabled where there are none. */
  states: readonly Entry[];
  /** For a popup: two columns. */
  narrow?: boolean;
  /** A company's address names its fields without `ship_` and has no phone. */
  kind?: "shipping" | "company";
  required?: readonly ShipField[];
  /** Shows what another address dictates; the phone stays open. */
  readOnly?: boolean;
  ref?: RefObject<HTMLDivElement | null>;
}

const TEXT_FIELDS = [
  { name: "ship_city", label: "City", token: "address-level2", limit: "city" },
  { name: "ship_address1", label: "Address 1", token: "address-line1", limit: "address" },
  { name: "ship_address2", label: "Address 2", token: "address-line2", limit: "address" },
  { name: "ship_zipcode", label: "Zipcode", token: "postal-code", limit: "zipcode" },
  { name: "ship_phone", label: "Phone", token: "tel", limit: "phone" },
] as const;

const TWO_COLUMNS = "col-span-2 phone:col-auto";
const WIDE: Partial<Record<ShipField, string>> = {
  ship_address1: TWO_COLUMNS,
  ship_phone: TWO_COLUMNS,
};

/** The fields of a shipping address in three columns; one on a phone. */
export function AddressFields({
  value,
  onChange,
  errorOf,
  countries,
  states,
  narrow = false,
  kind = "shipping",
  required = [],
  readOnly = false,
  ref,
}: AddressFieldsProps) {
  const shipping = kind === "shipping";
  const fields = shipping ? TEXT_FIELDS : TEXT_FIELDS.filter(({ name }) => name !== "ship_phone");
  const nameOf = (name: ShipField) => (shipping ? name : name.slice("ship_".length));
  const complete = (token: string) => (shipping ? `shipping ${token}` : token);
  return (
    <div
      ref={ref}
      className={cx(
        "grid gap-16 items-start below-560:grid-cols-1",
        narrow ? "grid-cols-2" : "grid-cols-3 phone:grid-cols-2",
      )}
    >
      <SelectField
        label="Country"
        name={nameOf("ship_country")}
        autoComplete={complete("country-name")}
        required={required.includes("ship_country")}
        disabled={readOnly}
        error={errorOf("ship_country")}
        value={value.ship_country ?? ""}
        onChange={(event) => onChange({ ship_country: idOf(event.target.value), ship_state: null })}
      >
        {value.ship_country === null && <option value="">Select a country</option>}
        <Options of={inOrder(countries)} />
      </SelectField>
      <SelectField
        label="State"
        name={nameOf("ship_state")}
        autoComplete={complete("address-level1")}
        error={errorOf("ship_state")}
        disabled={readOnly || states.length === 0}
        value={value.ship_state ?? ""}
        onChange={(event) => onChange({ ship_state: idOf(event.target.value) })}
      >
        <option value="">{states.length === 0 ? "–" : "Select a state"}</option>
        <Options of={inOrder(states)} />
      </SelectField>
      {fields.map(({ name, label, token, limit }) => (
        <TextField
          key={name}
          className={narrow ? undefined : WIDE[name]}
          label={label}
          name={nameOf(name)}
          type={name === "ship_phone" ? "tel" : "text"}
          autoComplete={complete(token)}
          maxLength={limits.length[limit]}
          required={required.includes(name)}
          readOnly={readOnly && name !== "ship_phone"}
          error={errorOf(name)}
          value={value[name]}
          onChange={(event) => onChange({ [name]: event.target.value })}
        />
      ))}
    </div>
  );
}

/** Where nobody lives for good, and nothing is sent to. */
const WITHOUT_PEOPLE = [
  "Antarctica",
  "Bouvet Island",
  "British Indian Ocean Territory",
  "French Southern Territories",
  "Heard Island and McDonald Islands",
  "South Georgia and the South Sandwich Islands",
  "United States Minor Outlying Islands",
];
const byName = new Intl.Collator("en").compare;

/** Places by name as people look for them (Åland beside Albania), those without people last. */
function inOrder(countries: readonly Entry[]) {
  const isEmpty = ({ content }: Entry) => Number(WITHOUT_PEOPLE.includes(content));
  return countries
    .toSorted((one, other) => isEmpty(one) - isEmpty(other) || byName(one.content, other.content))
    .map(({ address_id, content }) => [address_id, content] as const);
}

const idOf = (option: string): number | null => (option ? Number(option) : null);
