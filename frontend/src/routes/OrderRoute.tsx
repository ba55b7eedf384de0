export { ProductOrderScreen as default } from "@/features/product-order/ProductOrderScreen";
