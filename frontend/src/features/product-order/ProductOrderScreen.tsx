import { useQuery } from "@tanstack/react-query";
import { ShoppingBag } from "lucide-react";
import { lazy, Suspense, useCallback, useState } from "react";
import { useUser } from "@/api/session";
import { money } from "@/domain/money";
import { counted } from "@/domain/units";
import { cx } from "@/shared/cx";
import { Button } from "@/shared/ui/Button";
import { CountPill } from "@/shared/ui/Card";
import { Segmented } from "@/shared/ui/Choice";
import { PageHeading } from "@/shared/ui/PageHeading";
import { BasketPanel } from "./BasketPanel";
import { BrandPanel } from "./BrandPanel";
import styles from "./ProductOrderScreen.module.css";
import { ProductPanel } from "./ProductPanel";
import { ALL_PRODUCTS, type BrandChoice, brands, type Product } from "./queries";
import { useBasket } from "./use-basket";
import { useOrderPlace } from "./use-order-place";
import { useOrderRequest } from "./use-order-request";

// The list and the basket are painted first.
const OrderActions = lazy(() => import("./OrderActions"));
const ConfirmOrderDialog = lazy(() => import("./ConfirmOrderDialog"));
const ProductViewer = lazy(() => import("./ProductViewer"));

/** /order: brands, products and the basket; on a phone one of them at a time. */
export function ProductOrderScreen() {
  const { brand, panel, chooseBrand, showPanel } = useOrderPlace();
  const title = useBrandTitle(brand);
  const basket = useBasket();
  const request = useOrderRequest(basket);
  const confirmUsed = useOnceTrue(request.asking);
  const [shown, setShown] = useState<Product>();
  const [viewing, setViewing] = useState(false);

  const show = useCallback((product: Product) => {
    setShown(product);
    setViewing(true);
  }, []);
  const { changed } = basket;

  return (
    <div className={styles.page} data-panel={panel}>
      <div className={styles.head}>
        <PageHeading title="Product order">
          <Suspense fallback={<span className={styles.actions} />}>
            <OrderActions basket={basket} onRecalled={() => showPanel("basket")} />
          </Suspense>
        </PageHeading>
        <div className={styles.switch}>
          <Segmented
            legend="Panel"
            wide
            value={panel}
            onChange={showPanel}
            options={[
              { value: "brands", label: "Brands" },
              { value: "products", label: "Products" },
              {
                value: "basket",
                label: (
                  <>
                    Basket
                    {basket.items.length > 0 && <CountPill>{basket.items.length}</CountPill>}
                  </>
                ),
              },
            ]}
          />
        </div>
      </div>
      <div className={styles.columns}>
        <BrandPanel
          chosen={brand}
          onChoose={chooseBrand}
          className={cx(styles.panel, styles.brands)}
        />
        <ProductPanel
          key={brand}
          brand={brand}
          title={title}
          onToggle={basket.toggle}
          onShow={show}
          className={cx(styles.panel, styles.products)}
        />
        <BasketPanel
          basket={basket}
          onOrder={request.ask}
          className={cx(styles.panel, styles.basket)}
        />
      </div>
      <div className={styles.bar}>
        <p>
          <span className="num">
            {counted(basket.items.length, "product")} · {counted(basket.units, "unit")}
          </span>
          <strong className="num">{money(basket.subtotal)}</strong>
        </p>
        {panel === "basket" ? (
          <Button variant="primary" size="large" disabled={!basket.ready} onClick={request.ask}>
            Order
          </Button>
        ) : (
          <Button
            variant="primary"
            size="large"
            icon={<ShoppingBag size={18} strokeWidth={1.8} aria-hidden />}
            onClick={() => showPanel("basket")}
          >
            Order basket
          </Button>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {changed &&
          `${changed.name}: ${changed.count ? counted(changed.count, "piece") : "removed"}. Subtotal ${money(basket.subtotal)}`}
      </p>
      <Suspense fallback={null}>
        {confirmUsed && (
          <ConfirmOrderDialog
            open={request.asking}
            busy={request.busy}
            basket={basket}
            onConfirm={request.send}
            onCancel={request.cancel}
          />
        )}
        {shown && (
          <ProductViewer product={shown} open={viewing} onClose={() => setViewing(false)} />
        )}
      </Suspense>
    </div>
  );
}

function useBrandTitle(brand: BrandChoice): string {
  const { uuid } = useUser();
  const { data } = useQuery(brands(uuid));
  if (brand === "promotion") return "Promotion";
  if (brand === ALL_PRODUCTS) return "All products";
  return data?.find(({ brand_id }) => brand_id === brand)?.eng ?? "Products";
}

/** True from the first time on that `now` is: a lazy popup stays mounted once it was opened. */
function useOnceTrue(now: boolean): boolean {
  const [once, setOnce] = useState(now);
  if (now && !once) setOnce(true);
  return once;
}
