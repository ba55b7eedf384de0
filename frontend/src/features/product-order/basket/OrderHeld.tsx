import { useQuery } from "@tanstack/react-query";
import { Heart } from "lucide-react";
import { useNavigate } from "react-router";
import { api, unwrap } from "@/api/client";
import { counted } from "@/domain/units";
import { accountKeys } from "@/shared/query-keys";
import { alert, confirm } from "@/shared/ui/alerts";
import { Button } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { isRefusedBasket, useRequestOrder } from "./mutations";
import styles from "./OrderHeld.module.css";

/** What is held for the company's wishes, and the way to order it; nothing where nothing is held. */
export function OrderHeld() {
  const navigate = useNavigate();
  const request = useRequestOrder();
  const { data } = useQuery({
    queryKey: [...accountKeys.wishes, "offers"],
    meta: { onFailure: "log" },
    queryFn: async ({ signal }) => unwrap(await api.GET("/account/wishes", { signal })).offers,
  });
  if (!data || data.pieces === 0) return null;
  const { lines, pieces, until } = data;
  const what = `${counted(pieces, "piece")} of ${counted(lines.length, "product")}`;
  const order = async () => {
    if (!(await confirm(`Order ${what} at today's prices? The deposit comes next.`))) return;
    try {
      const { invoice_code } = await request.mutateAsync({ lines, total: 0 });
      navigate(`/order/checkout-deposit/${encodeURIComponent(invoice_code)}`);
    } catch (error) {
      if (isRefusedBasket(error)) await alert(error.message);
    }
  };
  return (
    <Card aria-label="Held for you">
      <div className={styles.held}>
        <Heart size={22} strokeWidth={1.8} aria-hidden />
        <p>
          <strong>{what} held for you</strong>
          <span>Until {until}; then the next one has it.</span>
        </p>
        <Button variant="primary" busy={request.isPending} onClick={() => void order()}>
          Order what is held
        </Button>
      </div>
    </Card>
  );
}
