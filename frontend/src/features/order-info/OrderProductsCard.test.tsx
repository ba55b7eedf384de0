import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { orderLine } from "@/test/builders";
import type { OrderLine } from "./queries";
import { openOrder } from "./testing";

const LINES = [
  orderLine({ comment: "Batch 2026-10.", ean: "4006381333931" }),
  orderLine({
    order_product_id: 2,
    sku: "CED-HO050",
    eng_name: "Hinoki Hair & Body Oil",
    is_true: 0,
    order_price: 178.6,
    tag: "Not Confirmed",
  }),
  orderLine({
    order_product_id: 3,
    sku: "DEW-SM010",
    eng_name: "Overnight Dew Mask",
    is_true: 0,
    price: 0,
    order_price: 0,
    tag: "Free offer",
  }),
];

const STEP = {
  kind: "proposals",
  tone: "warn",
  title: "2 proposals need your answer",
  text: "By Wed 25 Nov, 15:00 Seoul.",
  amount: null,
  rows: [] as never[],
} as const;

async function openLines(status_id = 2) {
  const { user } = openOrder({ status_id, count: 2, pieces: 120 }, { details: LINES });
  await screen.findByText("Hinoki Hair & Body Oil");
  const card = within(screen.getByRole("region", { name: "Products" }));
  return { user, card };
}

it("lists each line with its figures, price, tag and comment", async () => {
  const { card } = await openLines();
  expect(card.getByText("2 products · 120 pieces")).toBeVisible();
  const [refused, confirmed, free] = card.getAllByRole("listitem");
  expect(confirmed).toHaveTextContent(/AUR-BC050.*USRP \$34\.00.*MOQ 10.*Qty 60.*\$918\.00/);
  expect(within(confirmed as HTMLElement).getByText("Confirmed")).toBeVisible();
  expect(confirmed).toHaveTextContent("Batch 2026-10.");
  expect(within(refused as HTMLElement).getByText("Not Confirmed")).toBeVisible();
  expect(within(free as HTMLElement).getByText("Free offer")).toBeVisible();
  expect(free).not.toHaveTextContent("USRP");
  expect(free).toHaveClass("bg-ok-bg");
  expect(refused).not.toHaveClass("bg-ok-bg");
});

it.each([
  { status_id: 2, tones: ["mute", "mute", "mute"] },
  { status_id: 3, tones: ["warn", "ok", "ok"] },
])("colours the tags once the seller has confirmed: $status_id", async ({ status_id, tones }) => {
  const { card } = await openLines(status_id);
  const tags = card.getAllByText(/^(Not )?Confirmed$|^Free offer$/);
  expect(tags.map((tag) => tag.dataset.tone)).toEqual(tones);
});

it("puts what is not confirmed of a product below what is, with what was ordered", async () => {
  const part = { sku: "CED-HO050", eng_name: "Hinoki Hair & Body Oil" };
  const rest = { is_true: 0 as const, tag: "Not Confirmed" as const, comment: "The rest follows." };
  openOrder(
    {},
    {
      details: [
        orderLine({ order_product_id: 1, ...part, count: 8, order_price: 142.88 }),
        orderLine({ order_product_id: 2, count: 60, order_price: 918 }),
        orderLine({ order_product_id: 3, ...part, ...rest, count: 12, order_price: 214.32 }),
        orderLine({ order_product_id: 4, ...part, ...rest, count: 5, order_price: 50 }),
      ],
    },
  );
  await screen.findAllByText("Hinoki Hair & Body Oil");
  const card = within(screen.getByRole("region", { name: "Products" }));
  const [kept, refused, dearer, other] = card.getAllByRole("listitem");
  expect(kept).toHaveTextContent(/Qty 8 of 20 ordered.*\$142\.88.*Confirmed/);
  expect(refused).toHaveTextContent(/Qty 12 of 20 ordered.*Not Confirmed.*The rest follows\./);
  expect(other).toHaveTextContent(/AUR-BC050.*Qty 60\$/);
  expect(dearer).not.toHaveTextContent("ordered");
});

it("puts lines with an open proposal first, each with the way to its answer", async () => {
  const proposal = { text: "8 now, 12 dropped", difference: -72 };
  const order = { answers_needed: 2, next_step: STEP };
  const [first, second] = LINES as [OrderLine, OrderLine];
  openOrder(order, { details: [first, { ...second, proposal }] });
  const card = within(screen.getByRole("region", { name: "Products" }));
  expect(await card.findByText(/Lines with an open proposal come first/)).toBeVisible();
  const [top] = card.getAllByRole("listitem");
  expect(top).toHaveTextContent("Hinoki Hair & Body OilCED-HO050");
  expect(top).toHaveTextContent("Proposed: 8 now, 12 dropped.");
  const answer = within(top as HTMLElement).getByRole("link", { name: /^Answer/ });
  expect(answer).toHaveAttribute("href", "/invoice/2?invoice_code=MHW-1&proposals=1");
  const band = within(screen.getByRole("region", { name: "MHW-1" }));
  expect(band.getByText("2 answers needed")).toBeVisible();
  const todo = band.getByRole("region", { name: "Next step" });
  expect(todo).toHaveTextContent("Hinoki Hair & Body Oil8 now, 12 dropped– $72.00");
});

it("says at a line what was decided of its proposal", async () => {
  const decided = "You accepted on 21 Nov 2026: 8 now, 12 dropped.";
  const [first, second] = LINES as [OrderLine, OrderLine];
  openOrder({}, { details: [{ ...first, decided }, second] });
  const said = await screen.findByText(decided);
  expect(said.closest("li")).toHaveTextContent("AUR-BC050");
  expect(screen.getAllByText(/You accepted/)).toHaveLength(1);
});

it("opens a line's picture with its figures and gives the focus back", async () => {
  const { user, card } = await openLines();
  const tile = card.getByRole("button", { name: "View Barrier Bloom Ceramide Cream 50 ml" });
  await user.click(tile);
  const viewer = await screen.findByRole("dialog", { name: "Barrier Bloom Ceramide Cream 50 ml" });
  expect(viewer.querySelector("img")).toHaveAttribute("src", "/media/products/300/aur-bc050.jpg");
  expect(within(viewer).getByText("AUR-BC050")).toBeVisible();
  expect(within(viewer).getByText("4006381333931")).toBeVisible();
  const again = within(viewer).getByRole("link", { name: "Order again" });
  expect(again).toHaveAttribute("href", "/order?again=MHW-1&sku=AUR-BC050&panel=basket");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(tile).toHaveFocus());
});

it("sums up below what is to be done", async () => {
  await openLines();
  const totals = within(screen.getByRole("region", { name: "Totals" }));
  expect(totals.getAllByRole("term").map((term) => term.textContent)).toEqual([
    "Subtotal",
    "Products weight",
    "Shipping fee",
    "Total without shipping",
    "Deposit, part of the total",
  ]);
  expect(totals.queryByRole("button", { name: "Checkout" })).toBeNull();
});

it("draws an order of 500 lines as far as visible, and finds each", async () => {
  await import("@/shared/ui/LongList");
  const details = Array.from({ length: 500 }, (_, index) =>
    orderLine({ order_product_id: index + 1, sku: `SKU-${index}`, eng_name: `Cream ${index}` }),
  );
  const { user } = openOrder({}, { details });
  const search = await screen.findByRole("searchbox", { name: "Search products" });
  const card = within(screen.getByRole("region", { name: "Products" }));
  expect(card.queryAllByRole("listitem").length).toBeLessThan(40);
  await user.type(search, "cream 499");
  expect(await card.findByText("1 line found")).toBeVisible();
});
