import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { api, unwrap } from "@/api/client";
import { accountKeys } from "@/shared/query-keys";
import { Button } from "@/shared/ui/Button";
import { toast } from "@/shared/ui/toasts";

interface TellMeProps {
  product: { sku: string; eng_name: string };
  /** Pieces that are wanted. */
  count: number;
  /** Told once the wish is kept. */
  onKept?: () => void;
}

/** Keeps that pieces of a product are wanted which is sold out. */
export default function TellMe({ product: { sku, eng_name }, count, onKept }: TellMeProps) {
  const wish = useWish();
  return (
    <Button
      size="small"
      busy={wish.isPending}
      disabled={wish.isSuccess}
      aria-label={`Tell me when it is back: ${eng_name}`}
      icon={<Bell size={14} strokeWidth={1.8} aria-hidden />}
      onClick={() =>
        wish.mutate(
          { sku, count },
          {
            onSuccess: () => {
              toast(`${eng_name} is kept in your wishes.`);
              onKept?.();
            },
          },
        )
      }
    >
      {wish.isSuccess ? "Kept in your wishes" : "Tell me when it is back"}
    </Button>
  );
}

/** POST /account/wishes. */
function useWish() {
  const client = useQueryClient();
  return useMutation({
    meta: { onFailure: "alert" },
    mutationFn: async (body: { sku: string; count: number }) =>
      unwrap(await api.POST("/account/wishes", { body })),
    onSuccess: () => void client.invalidateQueries({ queryKey: accountKeys.wishes }),
  });
}
