import { usd } from "@/domain/money";
import { count } from "@/domain/units";
import { Facts } from "@/shared/ui/Facts";
import ImageViewer from "@/shared/ui/ImageViewer";
import { Tag } from "@/shared/ui/Tag";
import { availabilityTone } from "./availability";
import type { Product } from "./queries";

/** The large picture of a product, with its figures. */
export default function ProductViewer({
  product,
  open,
  onClose,
}: {
  product: Product;
  open: boolean;
  onClose: () => void;
}) {
  const { eng_name, image, availability } = product;
  return (
    <ImageViewer open={open} onClose={onClose} name={eng_name} image={image}>
      <Facts
        layout="spread"
        facts={[
          { label: "SKU", value: product.sku },
          { label: "Brand", value: product.brand },
          { label: "USRP", value: usd(product.usd_price) },
          { label: "Wholesale", value: usd(product.usd_supply) },
          { label: "MOQ", value: count(product.moq) },
          {
            label: "Availability",
            value: <Tag tone={availabilityTone(availability)}>{availability}</Tag>,
          },
        ]}
      />
    </ImageViewer>
  );
}
