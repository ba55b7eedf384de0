import { useParams, useSearchParams } from "react-router";
import { OrderInfoScreen } from "@/features/order-info/OrderInfoScreen";
import { PackingListButton } from "@/features/packing-list/PackingListButton";
import { NotFound } from "@/shared/ui/NotFound";

/** /invoice/{status_id}: tabs 0 to 5, anything else is no page; `?invoice_code=` selects an order. */
export default function OrderInfoRoute() {
  const { status_id = "" } = useParams();
  const [query] = useSearchParams();
  if (!/^[0-5]$/.test(status_id)) return <NotFound />;
  return (
    <OrderInfoScreen
      statusId={Number(status_id)}
      invoiceCode={query.get("invoice_code") ?? ""}
      packingList={(shown) => <PackingListButton key={shown.order.invoice_code} packed={shown} />}
    />
  );
}
