import { WishesPart } from "@/features/account/WishesPart";
import { OrderHeld } from "@/features/product-order/basket/OrderHeld";

/** /account/wishes: what is held now, above all that is wanted. */
export default function AccountWishes() {
  return (
    <>
      <OrderHeld />
      <WishesPart />
    </>
  );
}
