import { useStates } from "@/api/addresses";
import { usd } from "@/domain/figures";
import { toPay } from "@/domain/payment";
import { REQUIRED_SHIP_FIELDS, type ShipFields } from "@/domain/shipping";
import { cx } from "@/shared/cx";
import { limits } from "@/shared/limits";
import * as texts from "@/shared/texts";
import { AddressFields } from "@/shared/ui/AddressFields";
import { Button } from "@/shared/ui/Button";
import { Form, TextAreaField, TextField } from "@/shared/ui/Field";
import { PageBar } from "@/shared/ui/Page";
import { Card, Loading, OfflineReason, Skeleton } from "@/shared/ui/Panels";
import { RestoredLine } from "@/shared/ui/RestoredLine";
import styles from "./Checkout.module.css";
import {
  Checklist,
  CheckoutSection,
  DeclarationSection,
  PaymentSection,
  SavedAddresses,
} from "./CheckoutSections";
import { CheckoutButton, DEPOSIT_NOW, OrderSummary } from "./OrderSummary";
import type { Quote } from "./queries";
import { useCheckout } from "./use-checkout";

const FORM = cx(
  styles.form,
  "grid gap-cards items-start grid-cols-[minmax(0,1fr)_432px]",
  "phone:grid-cols-1 phone:pb-(--h-page-bar)",
  "tablet:grid-cols-[minmax(0,1fr)_340px] paper:block",
);

/** The form of the deposit checkout beside the list and what it costs. */
export function CheckoutForm({ quote }: { quote: Quote }) {
  const { temp_order, country, state } = quote;
  const checkout = useCheckout(quote);
  const { fields } = checkout;
  const states = useStates(fields.address.ship_country, {
    country: temp_order.ship_country,
    states: state,
  });
  const byPaypal = fields.method === "PAYPAL";
  if (!checkout.draft.isReady) return <CheckoutSkeleton />;

  return (
    <Form ref={checkout.form} noValidate className={FORM} onSend={checkout.submit}>
      <div className="grid gap-cards min-w-0">
        <RestoredLine form={checkout.draft} />
        <DeclarationSection checkout={checkout} />
        <CheckoutSection title="Shipping address">
          {checkout.isAddressEdited ? (
            <>
              <SavedAddresses value={fields.address} onChoose={checkout.changeAddress} />
              <AddressFields
                value={fields.address}
                onChange={checkout.changeAddress}
                errorOf={(name) => checkout.errors[name]}
                required={REQUIRED_SHIP_FIELDS}
                countries={country}
                states={states}
              />
            </>
          ) : (
            <div className="flex justify-between items-start gap-12">
              <address className="whitespace-pre-line">
                {addressLines(fields.address, country, states).join("\n")}
              </address>
              <Button size="small" aria-label="Change address" onClick={checkout.editAddress}>
                Change
              </Button>
            </div>
          )}
          <TextAreaField
            label="Request for Shipping"
            rows={2}
            maxLength={limits.length.memo}
            value={fields.memo}
            onChange={(event) => checkout.change({ memo: event.target.value })}
          />
          <TextField
            label="PO number"
            name="poNumber"
            error={checkout.errors.poNumber}
            hint={texts.poNumberHint}
            maxLength={limits.length.po_number}
            autoComplete="off"
            value={fields.poNumber}
            onChange={(event) => checkout.change({ poNumber: event.target.value })}
          />
        </CheckoutSection>
        <PaymentSection checkout={checkout} />
        <Checklist />
        <p className="text-ink-3 text-12 min-h-20 phone:empty:hidden">
          {checkout.draft.isKept && "Saved as a draft until you check out"}
        </p>
      </div>
      <OrderSummary checkout={checkout} />
      <PageBar
        label={byPaypal ? "Total" : DEPOSIT_NOW}
        amount={usd(toPay(fields.method, temp_order, temp_order.deposit))}
      >
        <CheckoutButton checkout={checkout} />
        <div
          // Else it is a third in the row, and the button stands in the middle.
          className={cx(styles.reason, "phone:basis-full phone:empty:hidden")}
        >
          <OfflineReason text="Checkout needs a connection." />
        </div>
      </PageBar>
    </Form>
  );
}

type Places = Readonly<Quote["country"]>;

/** An address as it is written on a parcel, line by line. */
function addressLines(address: ShipFields, countries: Places, states: Places): string[] {
  const nameIn = (places: Places, id: number | null) =>
    places.find(({ address_id }) => address_id === id)?.content ?? "";
  const { ship_address1, ship_address2, ship_zipcode, ship_city, ship_state } = address;
  return [
    ship_address1,
    ship_address2,
    `${ship_zipcode} ${ship_city}`,
    nameIn(states, ship_state),
    nameIn(countries, address.ship_country),
    address.ship_phone,
  ].filter((line) => line.trim());
}

const SECTIONS = [98, 376, 344];

/** The checkout's cards while the temporary order loads. */
export function CheckoutSkeleton() {
  return (
    <Loading className={FORM}>
      <div className="grid gap-cards min-w-0">
        {SECTIONS.map((height) => (
          <Card key={height}>
            <Skeleton height={height} radius={12} />
          </Card>
        ))}
      </div>
      <Card>
        <Skeleton height={480} radius={12} />
      </Card>
    </Loading>
  );
}
