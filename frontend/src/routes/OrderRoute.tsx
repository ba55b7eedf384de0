import { ProductOrderScreen } from "@/features/product-order/ProductOrderScreen";

/** /order */
export default function OrderRoute() {
  return <ProductOrderScreen />;
}
