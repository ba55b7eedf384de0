import { lazy } from "react";
import { useParams, useSearchParams } from "react-router";
import { orderPath } from "@/domain/orders";
import { OrderInfoScreen } from "@/features/order-info/OrderInfoScreen";
import { PackingListButton } from "@/features/packing-list/PackingListButton";
import NotFound from "@/shared/ui/NotFound";

const ProposalsScreen = lazy(() => import("@/features/proposals/ProposalsScreen"));

/** /invoice/{status_id}: tabs 0 to 5, anything else is no page; `?invoice_code=` selects an order, `&proposals=1` its proposals. */
export default function OrderInfoRoute() {
  const { status_id = "" } = useParams();
  const [query] = useSearchParams();
  if (!/^[0-5]$/.test(status_id)) return <NotFound />;
  const invoiceCode = query.get("invoice_code") ?? "";
  if (invoiceCode && query.has("proposals")) {
    const back = orderPath(invoiceCode, Number(status_id));
    return <ProposalsScreen invoiceCode={invoiceCode} back={back} />;
  }
  return (
    <OrderInfoScreen
      statusId={Number(status_id)}
      invoiceCode={invoiceCode}
      packingList={(shown) => <PackingListButton key={shown.order.invoice_code} packed={shown} />}
    />
  );
}
