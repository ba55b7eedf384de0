import { ShoppingBag } from "lucide-react";
import { lazy, Suspense, useLayoutEffect, useRef } from "react";
import { counted, money } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { Button } from "@/shared/ui/Button";
import { Segmented } from "@/shared/ui/Choice";
import { PageBar, PageHeading, SkipLink } from "@/shared/ui/Page";
import { CountPill } from "@/shared/ui/Panels";
import { Part, usePopup } from "@/shared/ui/popup";
import { BasketPanel, OrderButton } from "./basket/BasketPanel";
import { useBasket, useBasketQuestion } from "./basket/use-basket";
import styles from "./ProductOrderScreen.module.css";
import { BrandPanel } from "./products/BrandPanel";
import { ProductPanel } from "./products/ProductPanel";
import type { Product } from "./queries";
import { type Panel, useOrderPlace } from "./use-order-place";

// The list and the basket are painted first.
const OrderActions = lazy(() => import("./basket/OrderActions"));
const ConfirmOrderDialog = lazy(() => import("./basket/ConfirmOrderDialog"));
const ProductViewer = lazy(() => import("./products/ProductViewer"));

/** /order: brands, products and the basket; on a phone one of them at a time. */
export default function ProductOrderScreen() {
  const { brand, panel, showPanel } = useOrderPlace();
  const basket = useBasket();
  const question = useBasketQuestion(basket);
  const { subject: enlarged, ...viewer } = usePopup<Product>();
  const { changed } = basket;
  // A phone's panels scroll in one place: each comes back to its own.
  const page = useRef<HTMLDivElement>(null);
  const places = useRef<Partial<Record<Panel, number>>>({});
  useLayoutEffect(() => {
    page.current?.scrollTo?.({ top: places.current[panel] ?? 0 });
  }, [panel]);

  return (
    <div
      ref={page}
      className={styles.page}
      data-panel={panel}
      onScroll={({ currentTarget, target }) => {
        if (target === currentTarget) places.current[panel] = currentTarget.scrollTop;
      }}
    >
      <SkipLink to="products" text="Skip to products" />
      <SkipLink to="basket" text="Skip to basket" />
      <div className={styles.head}>
        <PageHeading title="Product order">
          <Suspense fallback={<span className={styles.actions} />}>
            <OrderActions basket={basket} />
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
                    {basket.lines.length > 0 && <CountPill>{basket.lines.length}</CountPill>}
                  </>
                ),
              },
            ]}
          />
        </div>
      </div>
      <div className={styles.columns}>
        <BrandPanel className={cx(styles.panel, styles.brands)} />
        <ProductPanel
          key={brand}
          onToggle={basket.toggle}
          onCount={basket.setCount}
          onShow={viewer.show}
          className={cx(styles.panel, styles.products)}
        />
        <BasketPanel
          basket={basket}
          onOrder={question.ask}
          className={cx(styles.panel, styles.basket)}
        />
      </div>
      <PageBar
        className={styles.bar}
        label={`${counted(basket.lines.length, "product")} · ${counted(basket.units, "unit")}`}
        amount={basket.failure ? "–" : money(basket.subtotal)}
      >
        {panel !== "basket" ? (
          <Button
            variant="primary"
            size="large"
            icon={<ShoppingBag size={18} />}
            onClick={() => showPanel("basket")}
          >
            Order basket
          </Button>
        ) : basket.lines.length === 0 ? (
          <Button variant="primary" size="large" onClick={() => showPanel("products")}>
            Choose products
          </Button>
        ) : (
          <OrderButton basket={basket} onClick={question.ask} />
        )}
      </PageBar>
      <p className="sr-only" role="status">
        {changed &&
          `${changed.name}: ${changed.count ? counted(changed.count, "piece") : "removed"}. Subtotal ${money(basket.subtotal)}`}
      </p>
      <Part>
        {question.subject && (
          <ConfirmOrderDialog key={question.number} lines={question.subject} {...question.dialog} />
        )}
        {enlarged && (
          <ProductViewer key={enlarged.sku} product={enlarged} basket={basket} {...viewer.dialog} />
        )}
      </Part>
    </div>
  );
}
