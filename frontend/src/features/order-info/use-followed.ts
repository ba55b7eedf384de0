import {
  type UseQueryResult,
  useMutationState,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "react-router";
import { useOnChange } from "@/shared/effects";
import { useIsOnline } from "@/shared/online";
import { orderKeys } from "@/shared/query-keys";
import { type Order, type OrderDetails, type OrderListItem, orderRow } from "./queries";
import { standing } from "./rules";

/**
 * Loads an order anew once somebody else has changed how it stands, and says what it was when this page was opened;
 * undefined while it is still that, or what the buyer made of it.
 */
export function useFollowed(code: string, details: UseQueryResult<OrderDetails>) {
  const client = useQueryClient();
  const isOnline = useIsOnline();
  const row = useQuery({ ...orderRow(code), enabled: isOnline && details.isSuccess });
  const order = details.data?.order;
  const isNewer = row.dataUpdatedAt > details.dataUpdatedAt;
  const changed = isNewer && row.data && order && isBehind(order, row.data);
  useOnChange(changed ? row.dataUpdatedAt : undefined, () => {
    void client.invalidateQueries({ queryKey: orderKeys.all });
  });

  const own = useMutationState({
    filters: { mutationKey: orderKeys.standing(code), status: "success" },
    select: ({ state }) => state.submittedAt,
  }).filter((at) => at < details.dataUpdatedAt);
  const visit = `${useLocation().key} ${code} ${own.length}`;
  const [opened, setOpened] = useState({ visit: "", was: "" });
  const is = order && standing(order);
  if (is && opened.visit !== visit) setOpened({ visit, was: is });
  return is && opened.visit === visit && opened.was !== is ? opened.was : undefined;
}

function isBehind(order: Order, row: OrderListItem): boolean {
  return (
    order.status_id !== row.status_id ||
    order.payment !== row.payment ||
    order.answers_needed > 0 !== (row.answers !== "")
  );
}
