import type { UseQueryResult } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { lazy } from "react";
import { count, dayText, usd } from "@/domain/figures";
import { useIsOnline } from "@/shared/online";
import { Button, Spinner } from "@/shared/ui/Button";
import { Facts } from "@/shared/ui/Facts";
import { Card, CardHead, Loaded, OfflineReason } from "@/shared/ui/Panels";
import { lazyPopup, Part, usePopup } from "@/shared/ui/popup";
import { PHONE, useMedia } from "@/shared/use-media";
import { MessageBox, PastConversation, ShippingRequestBox } from "./MemoBoxes";
import { type AddressForm, useAddressForm } from "./mutations";
import type { Order, OrderDetails } from "./queries";

export interface ShownOrder {
  details: UseQueryResult<OrderDetails>;
  /** Its invoice code; empty if no order is selected. */
  selected: string;
  className?: string | undefined;
}

/** Middle card: the order's facts, address, requests and messages. */
export function OrderDetailsCard(props: ShownOrder & { takesMessage: boolean }) {
  const { details, selected, takesMessage, className } = props;
  return (
    <Card className={className} aria-labelledby="order-details">
      <CardHead title="Order Details" id="order-details" />
      <div
        // Hidden texts inside must not lengthen the page.
        className="relative flex-1 min-h-0 overscroll-contain divided overflow-y-auto
          tablet:overflow-visible"
      >
        <Loaded query={details} height={300}>
          {({ order }) => <Details key={selected} order={order} takesMessage={takesMessage} />}
        </Loaded>
      </div>
    </Card>
  );
}

function Details({ order, takesMessage }: { order: Order; takesMessage: boolean }) {
  const isPhone = useMedia(PHONE);
  const { po_number, po_file, allowed, tracking_number, carrier, shipping_url } = order;
  const facts = [
    { label: "Order date", value: dayText(order.build_date) },
    { label: "Products in order", value: count(order.count) },
    { label: "Subtotal", value: usd(order.total) },
    { label: "Order type", value: order.type },
    order.former_number && { label: "Former number", value: order.former_number },
    (po_number || allowed.edit_po_number) && {
      label: "PO number",
      value: <PoNumber order={order} />,
    },
    po_file && { label: "PO file", value: <a href={po_file.url}>{po_file.name}</a> },
    { label: "Memo", value: order.memo || "–" },
  ];
  if (allowed.tracking) {
    const value = (
      <span
        className="flex flex-wrap gap-y-2 gap-x-12
          [&_a]:inline-flex [&_a]:gap-6 [&_a]:items-center [&_a]:font-medium"
      >
        {[carrier, tracking_number].filter(Boolean).join(" ")}
        {shipping_url && !isPhone && (
          <a href={shipping_url} target="_blank" rel="noopener">
            Track
            <ExternalLink size={15} />
            <span className="sr-only"> (opens in a new window)</span>
          </a>
        )}
      </span>
    );
    facts.push({ label: "Tracking number", value });
  }
  return (
    <>
      <section className="px-card py-14">
        <Facts className="gap-6! [&>div]:grid-cols-[136px_minmax(0,1fr)]!" facts={facts} />
      </section>
      <ShippingAddress order={order} />
      <ShippingRequestBox order={order} />
      <div data-messages tabIndex={-1}>
        {takesMessage ? <MessageBox order={order} /> : <PastConversation order={order} />}
      </div>
    </>
  );
}

const { Popup: PoNumberDialog, ahead } = lazyPopup(() => import("./PoNumberDialog"));

/** The buyer's own number of an order, with a button that gives or changes it while the server allows that. */
function PoNumber({ order: { po_number, allowed }, order }: { order: Order }) {
  const popup = usePopup();
  const word = po_number ? "Change" : "Add";
  return (
    <>
      {po_number && `${po_number} `}
      {/* What is being typed stays in sight, whatever becomes of the order. */}
      {(allowed.edit_po_number || popup.open) && (
        <button
          type="button"
          className="p-0 border-0 text-accent font-medium bg-transparent hover:underline
            phone:min-h-44 phone:-my-12 phone:pr-16"
          aria-haspopup="dialog"
          aria-label={`${word} PO number`}
          {...ahead}
          onClick={() => popup.show(true)}
        >
          {word}
        </button>
      )}
      <Part>
        {popup.subject && <PoNumberDialog key={popup.number} {...popup.dialog} order={order} />}
      </Part>
    </>
  );
}

const loadAddress = () => import("./EditAddressDialog");
const EditAddressDialog = lazy(loadAddress);

/** Where the order goes, and the button that changes it while the server allows that. */
function ShippingAddress({ order }: { order: Order }) {
  const form = useAddressForm(order.invoice_code);
  const isOnline = useIsOnline();
  const popup = usePopup<AddressForm>();
  const edit = () => {
    if (form.isPending) return;
    void loadAddress();
    form.mutate(undefined, { onSuccess: popup.show });
  };
  return (
    <section className="px-card py-14" aria-label="Shipping address">
      <div
        className="flex items-center justify-between min-h-30 -mt-2 mb-6
          [&+p]:mb-8 [&+p]:text-left"
      >
        <h3 className="text-13">Shipping address</h3>
        {order.allowed.edit_address && (
          // Not disabled while it loads: the focus has to come back to it.
          <Button
            size="small"
            disabled={!isOnline}
            onClick={edit}
            icon={form.isPending && <Spinner />}
            aria-busy={form.isPending || undefined}
          >
            Edit Address
          </Button>
        )}
      </div>
      {order.allowed.edit_address && <OfflineReason text="Editing needs a connection." />}
      <Facts
        className="gap-6! [&>div]:grid-cols-[136px_minmax(0,1fr)]!"
        facts={[
          { label: "E-mail", value: order.email },
          { label: "Company", value: order.company },
          { label: "Country", value: order.country },
          { label: "State", value: order.state || "–" },
          { label: "City", value: order.ship_city },
          { label: "Address 1", value: order.ship_address1 },
          { label: "Address 2", value: order.ship_address2 || "–" },
          { label: "Zipcode", value: order.ship_zipcode },
          { label: "Phone", value: order.ship_phone },
        ]}
      />
      <Part>
        {popup.subject && (
          <EditAddressDialog
            key={popup.number}
            {...popup.dialog}
            order={order}
            info={popup.subject}
          />
        )}
      </Part>
    </section>
  );
}
