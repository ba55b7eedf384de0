import { useMutation } from "@tanstack/react-query";
import { Bell, Check } from "lucide-react";
import { useEffect, useRef } from "react";
import { api, unwrap } from "@/api/client";
import { accountKeys } from "@/shared/query-keys";
import { Button } from "@/shared/ui/Button";
import { toast } from "@/shared/ui/toasts";

interface TellMeProps {
  product: { sku: string; eng_name: string };
  count: number;
  /** What it is that they hear of: else that the product is back. */
  when?: string;
  /** Told once the wish is kept, with the button that asked for it. */
  onKept?: (button: HTMLElement | null) => void;
  /** In a row of products: the words are short, and beside the picture of a bell they may be left out. */
  className?: string | undefined;
  tabIndex?: number | undefined;
}

/** Keeps that pieces are wanted of a product that is sold out, or of a code that nobody knows. */
export default function TellMe({
  product: { sku, eng_name },
  count,
  when = "it is back",
  onKept,
  className,
  tabIndex,
}: TellMeProps) {
  const wish = useMutation({
    meta: { onFailure: "alert", refreshes: [accountKeys.wishes] },
    mutationFn: async (body: { sku: string; count: number }) =>
      unwrap(await api.POST("/account/wishes", { body })),
  });
  const label = wish.isSuccess ? "On your waiting list" : `Notify me when ${when}`;
  const short = wish.isSuccess ? "On the list" : "Notify me";
  const Icon = wish.isSuccess && className ? Check : Bell;
  const button = useRef<HTMLButtonElement>(null);
  // While the wish is sent the button is disabled, and a browser takes the focus from it.
  useEffect(() => {
    if (wish.isSuccess && document.activeElement === document.body) button.current?.focus();
  }, [wish.isSuccess]);
  return (
    <Button
      ref={button}
      size="small"
      busy={wish.isPending}
      aria-disabled={wish.isSuccess || undefined}
      aria-label={`${label}: ${eng_name}`}
      {...(className && { className, tabIndex, title: label, "data-cell": "wish" })}
      icon={<Icon size={14} />}
      onClick={() =>
        !wish.isSuccess &&
        wish.mutate(
          { sku, count },
          {
            onSuccess: () => {
              toast(`${eng_name} is on your waiting list.`);
              onKept?.(button.current);
            },
          },
        )
      }
    >
      {className ? <span>{short}</span> : label}
    </Button>
  );
}
