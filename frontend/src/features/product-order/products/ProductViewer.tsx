import { count, lastDayBefore, usd } from "@/domain/figures";
import { Button } from "@/shared/ui/Button";
import type { DialogState } from "@/shared/ui/Dialog";
import { Facts } from "@/shared/ui/Facts";
import ImageViewer from "@/shared/ui/ImageViewer";
import { QuantityStepper } from "@/shared/ui/QuantityStepper";
import { Tag } from "@/shared/ui/Tag";
import { useBasketLines } from "@/shared/use-basket-lines";
import type { Basket } from "../basket/use-basket";
import type { Product } from "../queries";
import { actionOf, availabilityTone, mayBeWished } from "../rules";
import TellMe from "./TellMe";

interface ProductViewerProps extends DialogState {
  product: Product;
  basket: Pick<Basket, "toggle" | "setCount">;
}

/** The large picture of a product, with its figures, its way into the basket, and how many pieces are in it. */
export default function ProductViewer({ product, basket, ...dialog }: ProductViewerProps) {
  const { eng_name, images, availability, usual_price, price_until } = product;
  const line = useBasketLines().find(({ sku }) => sku === product.sku);
  return (
    <ImageViewer {...dialog} name={eng_name} images={images}>
      <div>
        <Facts
          layout="spread"
          facts={[
            { label: "SKU", value: product.sku },
            product.ean && { label: "EAN", value: product.ean },
            { label: "Brand", value: product.brand },
            product.usd_price > 0 && { label: "USRP", value: usd(product.usd_price) },
            { label: "Wholesale", value: usd(product.usd_supply) },
            ...(usual_price !== null && price_until !== null
              ? [
                  { label: "Usual price", value: usd(usual_price) },
                  { label: "Offer", value: `until ${lastDayBefore(price_until)}` },
                ]
              : []),
            { label: "MOQ", value: count(product.moq) },
            {
              label: "Availability",
              value: <Tag tone={availabilityTone(availability)}>{availability}</Tag>,
            },
          ]}
        />
        <p className="flex flex-wrap items-center justify-end gap-12 mt-16">
          {line && (
            <QuantityStepper
              product={eng_name}
              value={line.count}
              min={product.moq}
              step={product.step}
              onStore={(quantity) => basket.setCount(product, quantity)}
            />
          )}
          {!line && mayBeWished(product) && <TellMe product={product} count={product.moq} />}
          <Button
            variant={line ? "outline" : "primary"}
            disabled={!line && product.selectable !== 1}
            onClick={() => {
              basket.toggle(product);
              if (line) dialog.onClose();
            }}
          >
            {actionOf(product, line !== undefined)}
          </Button>
        </p>
      </div>
    </ImageViewer>
  );
}
