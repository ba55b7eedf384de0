import { useQuery } from "@tanstack/react-query";
import { CircleAlert, Info } from "lucide-react";
import { type ReactNode, useId } from "react";
import { addressBook } from "@/api/addresses";
import { buyerConfig } from "@/api/seller";
import { percent, takesPaypal } from "@/domain/payment";
import { type ShipFields, shipOf } from "@/domain/shipping";
import { config } from "@/shared/config";
import { limits } from "@/shared/limits";
import * as texts from "@/shared/texts";
import { BankBlock } from "@/shared/ui/BankBlock";
import { Segmented } from "@/shared/ui/Choice";
import { Checkbox, Options, SelectField, TextField } from "@/shared/ui/Field";
import { Card } from "@/shared/ui/Panels";
import { PaymentMethods } from "@/shared/ui/PaymentMethods";
import type { Declaration } from "./rules";
import type { Checkout } from "./use-checkout";

/** A card of the checkout: its heading in a column of its own, above the content on a phone. */
export function CheckoutSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Card
      className="grid grid-cols-[240px_minmax(0,1fr)] gap-16 overflow-visible py-26 px-28
        tablet:grid-cols-[140px_minmax(0,1fr)] tablet:p-20
        phone:grid-cols-[minmax(0,1fr)] phone:py-18 phone:px-16"
      aria-labelledby={id}
    >
      <h2 id={id} className="text-16">
        {title}
      </h2>
      <div className="grid gap-16 min-w-0">{children}</div>
    </Card>
  );
}

/** Export declaration YES or NO; NO asks the buyer to take the responsibility, and goes with no wire. */
export function DeclarationSection({ checkout: { fields, change } }: { checkout: Checkout }) {
  const { declaration, responsible, method } = fields;
  const isRefused = method === "T/T" && declaration === "NO";
  const { notes } = config();
  return (
    <CheckoutSection title="Export Declaration">
      <p className="text-ink-2 whitespace-pre-line">{notes.declaration}</p>
      <Segmented<Declaration>
        legend="Export Declaration"
        className="justify-self-start phone:[&_label]:min-w-84"
        options={[
          { value: "YES", label: "YES" },
          { value: "NO", label: "NO" },
        ]}
        value={declaration}
        onChange={(next) => change({ declaration: next, responsible: false })}
      />
      <p
        role="status"
        className={
          isRefused ? "flex gap-5 -mt-8 text-bad text-13 [&>svg]:flex-none [&>svg]:mt-2" : "sr-only"
        }
      >
        {isRefused && <CircleAlert size={15} />}
        {isRefused && texts.declarationForWire}
      </p>
      {declaration === "NO" && (
        <Checkbox
          checked={responsible}
          onChange={(event) => change({ responsible: event.target.checked })}
        >
          {notes.responsibility}
        </Checkbox>
      )}
    </CheckoutSection>
  );
}

/** Bank Wire, or PAYPAL where that is taken; the wire shows the seller's bank and asks who pays. */
export function PaymentSection({ checkout }: { checkout: Checkout }) {
  const { temp_order } = checkout.quote;
  const { method, depositor } = checkout.fields;
  const config = useQuery(buyerConfig);
  const rate = config.data?.paypal_fee_rate;
  if (temp_order.deposit === 0) {
    return (
      <CheckoutSection title="Payment Method">
        <p>No deposit is due. You pay once your order is confirmed.</p>
      </CheckoutSection>
    );
  }
  return (
    <CheckoutSection title="Payment Method">
      <PaymentMethods
        value={method}
        onChange={checkout.chooseMethod}
        takesPaypal={takesPaypal(temp_order)}
        notes={{
          "T/T": "T/T transfer, no surcharge",
          PAYPAL: rate === undefined ? "Surcharge" : `Surcharge ${percent(rate)}`,
        }}
      />
      {method === "T/T" && (
        <>
          <BankBlock config={config} />
          <TextField
            label="Account Name"
            name="depositor"
            error={checkout.errors.depositor}
            hint="The depositor: the name on the account that you pay from."
            required
            autoComplete="off"
            maxLength={limits.length.depositor}
            value={depositor}
            onChange={(event) => checkout.change({ depositor: event.target.value })}
          />
        </>
      )}
    </CheckoutSection>
  );
}

/** What the buyer should know before paying. */
export function Checklist() {
  const { title, points } = config().checklist;
  return (
    <CheckoutSection title={title}>
      <ul
        className="grid gap-8 text-ink-2
          [&_li]:flex [&_li]:gap-11 [&_svg]:flex-none [&_svg]:mt-2 [&_svg]:text-accent"
      >
        {points.map((point) => (
          <li key={point}>
            <Info size={17} />
            {point}
          </li>
        ))}
      </ul>
    </CheckoutSection>
  );
}

interface SavedAddressesProps {
  value: ShipFields;
  onChoose: (address: ShipFields) => void;
}

/** The company's address book above the fields; nothing where it is empty. */
export function SavedAddresses({ value, onChoose }: SavedAddressesProps) {
  const { data } = useQuery(addressBook);
  if (!data || data.addresses.length === 0) return null;
  const now = JSON.stringify(shipOf(value));
  const current = data.addresses.find((address) => JSON.stringify(shipOf(address)) === now);
  return (
    <SelectField
      label="Address book"
      value={current?.address_id ?? ""}
      onChange={({ target }) => {
        const picked = data.addresses.find(({ address_id }) => String(address_id) === target.value);
        if (picked) onChoose(shipOf(picked));
      }}
    >
      {!current && <option value="">Another address</option>}
      <Options of={data.addresses.map(({ address_id, name }) => [address_id, name])} />
    </SelectField>
  );
}
