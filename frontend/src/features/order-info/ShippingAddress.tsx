import { lazy, useState } from "react";
import { useIsOnline } from "@/shared/online";
import { Button, Spinner } from "@/shared/ui/Button";
import { Facts } from "@/shared/ui/Facts";
import { OfflineReason } from "@/shared/ui/Panels";
import { Part } from "@/shared/ui/popup";
import { useAddressForm } from "./mutations";
import type { Order } from "./queries";

const load = () => import("./EditAddressDialog");
const EditAddressDialog = lazy(load);

/** Where the order goes, and the button that changes it while the server allows that. */
export function ShippingAddress({ order }: { order: Order }) {
  const form = useAddressForm(order.invoice_code);
  const isOnline = useIsOnline();
  const [open, setOpen] = useState(false);
  const edit = () => {
    if (form.isPending) return;
    void load();
    form.mutate(undefined, { onSuccess: () => setOpen(true) });
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
      {form.data && (
        <Part>
          <EditAddressDialog
            key={form.submittedAt}
            open={open}
            onClose={() => setOpen(false)}
            order={order}
            info={form.data}
          />
        </Part>
      )}
    </section>
  );
}
