import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerAlert } from "@/test/render";
import { answer } from "@/test/server";
import { openOrders } from "./testing";

it("leads back into the checkout of a request that was left, or discards it", async () => {
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
  await user.click(requests.getByText("3 unfinished requests"));
  const [first] = requests.getAllByRole("link");
  expect(first).toHaveTextContent("Unfinished request $1,030.00");
  expect(first).toHaveAttribute("href", "/order/checkout-deposit/MHW-3");
  const gone = answer("delete", "/temp-order/{invoice_code}", { success: 1 });
  answer("get", "/temp-orders", { success: 1, result: left.slice(2) });
  await user.click(requests.getByRole("button", { name: "Discard MHW-3" }));
  await answerAlert(user, "Discard this request of 3 products, $1,030.00?", "Confirm");
  await waitFor(() => expect(gone.map(({ params }) => params.invoice_code)).toEqual(["MHW-3"]));
  await waitFor(() => expect(requests.queryByText("3 unfinished requests")).toBeNull());
  expect(requests.getByRole("button", { name: "Discard MHW-1" })).toBeVisible();
});
