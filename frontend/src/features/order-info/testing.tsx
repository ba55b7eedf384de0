import { Route, Routes } from "react-router";
import { vi } from "vitest";
import type { Schemas } from "@/api/client";
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

type Listed = ReturnType<typeof orderInList>;

/** Answers the list with these orders as its only page. */
export const answerList = (...orderList: Listed[]) =>
  answer("get", "/order/{status_id}", { success: 1, orderList, has_next: false, next: null });

type Messages = Schemas["Conversation"]["messages"];

/** Answers the conversation with its only page. */
export const answerMessages = (messages: Messages, unread: number | null = null) =>
  answer("get", "/order/customer/messages/{invoice_code}", {
    success: 1,
    messages,
    unread,
    next: null,
  });

/** What is watched comes into view, or out of it, by the function that this returns. */
export function watchView() {
  let seen: IntersectionObserverCallback = () => undefined;
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(callback: IntersectionObserverCallback) {
        seen = callback;
      }
      observe() {}
      disconnect() {}
    },
  );
  return (isIntersecting: boolean) =>
    seen([{ isIntersecting } as IntersectionObserverEntry], {} as IntersectionObserver);
}

/** Opens the screen at an address and follows its links, as the route does. */
export function openOrders(at: string, unfinished: readonly UnfinishedRequest[] = []) {
  answer("get", "/temp-orders", { success: 1, result: [...unfinished] });
  const sums = answerSums();
  answerMessages([]);
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
  answerList(orderInList(invoice_code, { status_id, message }));
  answer("get", "/details/{invoice_code}", details);
  return openOrders(`/invoice/${status_id}?invoice_code=${invoice_code}`);
}

export const WRONG = "Something went wrong. Please contact the administrator.";
