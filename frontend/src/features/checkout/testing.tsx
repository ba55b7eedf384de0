/** Set-up of the deposit checkout's tests. */
import { screen } from "@testing-library/react";
import { user as buildUser, configuration, SHIP } from "@/test/builders";
import { renderScreen } from "@/test/render";
import { answer } from "@/test/server";
import { DepositCheckoutScreen } from "./DepositCheckoutScreen";
import type { Quote, TemporaryOrder, TemporaryOrderLine } from "./queries";

export const CODE = "MHW-261120-0431";

/** One product, 60 × $15.30, shipped to the buyer of the tests. */
export function quote(
  order: Partial<TemporaryOrder> = {},
  line: Partial<TemporaryOrderLine> = {},
): Quote {
  const { uuid, company_id, company, manager, email, stock_free, ...address } = buildUser();
  return {
    temp_order: {
      ...address,
      invoice_code: CODE,
      total: 918,
      count: 1,
      weight: 7180,
      weight_kg: 7.2,
      deposit: 918,
      paypal_fee: 32.13,
      paypal_total: 950.13,
      payment_pending: false,
      expires_at: "2026-11-27T09:00:00+00:00",
      prices_until: "Fri 27 Nov, 18:00 Seoul",
      ...order,
    },
    temp_order_details: [
      {
        sku: "AUR-BC050",
        eng_name: "Barrier Bloom Ceramide Cream 50 ml",
        image: "aur-bc050.png",
        usd_price: 34,
        usd_supply: 15.3,
        count: 60,
        order_price: 918,
        weight: 120,
        minimum: 10,
        qty: 500,
        expect_qty: 500,
        moq: 10,
        step: 10,
        ...line,
      },
    ],
    country: [
      { address_id: 1, content: "Poland" },
      { address_id: 2, content: "Singapore" },
      { address_id: 3, content: "Japan" },
    ],
    state: [{ address_id: 11, content: "Mazowieckie" }],
  };
}

/** Opens the checkout of a quote for an ordinary buyer whose basket is not empty. */
export function openCheckout({
  result = quote(),
  stockFree = 0,
}: {
  result?: Quote;
  stockFree?: 0 | 1;
} = {}) {
  localStorage.setItem("basket", JSON.stringify([{ sku: "AUR-BC050", count: 60 }]));
  answer("get", "/config", configuration());
  answer("get", "/account/addresses", {
    success: 1,
    addresses: [
      {
        ...SHIP,
        address_id: 3,
        name: "Store Kielce",
        ship_city: "Kielce",
        country: "Poland",
        state: "",
        is_default: false,
      },
    ],
    default: SHIP,
    countryList: [],
  });
  const loads = answer("get", "/temp-order-info/stock/{invoice_code}", { success: 1, result });
  const checks = answer("post", "/order/check", { success: 0 });
  return { ...render(stockFree), loads, checks };
}

export function render(stockFree: 0 | 1 = 0) {
  return renderScreen(<DepositCheckoutScreen invoiceCode={CODE} />, {
    at: `/order/checkout-deposit/${CODE}`,
    user: buildUser({ stock_free: stockFree }),
  });
}

export function storedBasket(): unknown {
  return JSON.parse(localStorage.getItem("basket") ?? "null");
}

/** The Checkout button of the list; the phone's bar has another one. */
export async function checkoutButton(): Promise<HTMLElement> {
  const [button] = await screen.findAllByRole("button", { name: "Checkout" });
  if (!button) throw new Error("no Checkout button");
  return button;
}
