import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { answer } from "@/test/server";
import { openOrders } from "./testing";

it("lists the requests that were left, and leads back into their checkout", async () => {
  answer("get", "/order/{status_id}", { success: 1, orderList: [], has_next: false, next: null });
  const left = ["MHW-3", "MHW-2", "MHW-1"].map((invoice_code) => ({
    invoice_code,
    build_date: "2026-11-20",
    total: 1030,
    count: 3,
    until: "Prices are held until Fri 27 Nov, 14:20.",
  }));
  const { user } = openOrders("/invoice/0", left);
  const requests = within(await screen.findByRole("region", { name: "Unfinished requests" }));
  const first = requests.getAllByRole("listitem")[0] as HTMLElement;
  expect(first).toHaveTextContent(
    "MHW-3$1,030.003 products. Prices are held until Fri 27 Nov, 14:20.",
  );
  expect(within(first).getByRole("link")).toHaveAttribute("href", "/order/checkout-deposit/MHW-3");
  expect(requests.getAllByRole("listitem")).toHaveLength(2);
  await user.click(requests.getByRole("button", { name: "Show all 3" }));
  expect(requests.getAllByRole("listitem")).toHaveLength(3);
});
