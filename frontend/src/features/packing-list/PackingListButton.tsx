import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { buyerConfig } from "@/api/config";
import { Button } from "@/shared/ui/Button";
import type { PackedOrder } from "./rules";

const load = () => import("./PackingListView");
const PackingListView = lazy(load);

/** 'P/L': opens the packing list over the page; nothing where the server gives none. */
export function PackingListButton({ packed }: { packed: PackedOrder }) {
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const [used, setUsed] = useState(false);
  if (!packed.order.allowed.packing_list) return null;
  return (
    <>
      <Button
        size="small"
        title="Packing list"
        onClick={() => {
          void client.prefetchQuery(buyerConfig);
          setUsed(true);
          setOpen(true);
        }}
      >
        P/L
      </Button>
      {used && (
        <Suspense fallback={null}>
          <PackingListView open={open} onClose={() => setOpen(false)} packed={packed} />
        </Suspense>
      )}
    </>
  );
}
