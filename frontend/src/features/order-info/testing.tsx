import { Route, Routes } from "react-router";
import { orderDetails, orderInList } from "@/test/builders";
import { renderScreen } from "@/test/render";
import { answer } from "@/test/server";
import OrderInfoScreen from "./OrderInfoScreen";
import type { UnfinishedRequest } from "./queries";

/** What the list's sums answer: two orders wait for a wire, one for its balance. */
function answerSums() {
  return answer("get", "/order-sums/{status_id}", {
    success: 1,
    orders: 3,
    cancelled: 1,
    amount: 4321.5,
    payments: [
      { payment: "wire", text: "Waiting for wire", orders: 2 },
      { payment: "balance", text: "Balance due", orders: 1 },
      { payment: "paid", text: "Paid", orders: 1100 },
      { payment: "refunded", text: "Refunded", orders: 0 },
    ],
  });
}

/** Opens the screen at an address and follows its links, as the route does. */
export function openOrders(at: string, unfinished: readonly UnfinishedRequest[] = []) {
  answer("get", "/temp-orders", { success: 1, result: [...unfinished] });
  const sums = answerSums();
  answer("get", "/order/customer/messages/{invoice_code}", {
    success: 1,
    messages: [],
    unread: null,
    next: null,
  });
  const routes = (
    <Routes>
      <Route path="/invoice/:status_id" element={<OrderInfoScreen />} />
      <Route path="*" element={null} />
    </Routes>
  );
  return { sums, ...renderScreen(routes, { at }) };
}

/** Answers the list with one order and its details as given, and opens it. */
export function openOrder(...order: Parameters<typeof orderDetails>) {
  const details = orderDetails(...order);
  const { invoice_code, status_id, message } = details.order;
  answer("get", "/order/{status_id}", {
    success: 1,
    orderList: [orderInList(invoice_code, { status_id, message })],
    has_next: false,
    next: null,
  });
  answer("get", "/details/{invoice_code}", details);
  return openOrders(`/invoice/${status_id}?invoice_code=${invoice_code}`);
}

export const WRONG = "Something went wrong. Please contact the administrator.";
