import { useQueryClient } from "@tanstack/react-query";
import { lazy } from "react";
import { buyerConfig } from "@/api/seller";
import { Button } from "@/shared/ui/Button";
import { Part, usePopup } from "@/shared/ui/popup";
import type { OrderDetails } from "../queries";

const PackingListView = lazy(() => import("./PackingListView"));

/** 'P/L': opens the packing list over the page; nothing where the server gives none. */
export function PackingListButton({ packed }: { packed: OrderDetails }) {
  const client = useQueryClient();
  const popup = usePopup();
  if (!packed.order.allowed.packing_list) return null;
  return (
    <>
      <Button
        size="small"
        title="Packing list"
        onClick={() => {
          void client.prefetchQuery(buyerConfig);
          popup.show(true);
        }}
      >
        P/L
      </Button>
      <Part>{popup.subject && <PackingListView {...popup.dialog} packed={packed} />}</Part>
    </>
  );
}
