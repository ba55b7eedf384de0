import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { ApiError, api, isUncertain, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { basket } from "@/domain/basket";
import { shipOf } from "@/domain/shipping";
import { drafts, LEFT_CHECKOUT } from "@/shared/drafts";
import { useRepeatKey } from "@/shared/idempotency";
import { productKeys } from "@/shared/query-keys";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { subtotal } from "../rules";
import { PROBLEM_TEXTS, type RequestedLine } from "./use-order-question";

/** Its stock, its prices or its rules have changed since the screen read them. */
const REFUSED_BASKET = ["out_of_stock", "invalid", "price_changed", "below_minimum"];

const LAST_EDITS_MS = 1500;
const KNOWN_REFUSALS: readonly string[] = Object.values(PROBLEM_TEXTS);

/** POST /temp-order, from the question to the deposit checkout: what is asked about is what is sent, at those prices. */
export function useOrderRequest(asked: readonly RequestedLine[], onClose: () => void) {
  const { uuid, ...buyer } = useUser();
  const navigate = useNavigate();
  const key = useRepeatKey();
  const client = useQueryClient();
  const [lines, setLines] = useState(asked);
  const isSending = useRef(false);
  const request = useMutation({
    meta: { onFailure: "alert", except: REFUSED_BASKET },
    mutationFn: async () => {
      // So that the order takes out of the server's basket what it orders.
      await basket.settled(LAST_EDITS_MS);
      const body = {
        uuid,
        export_report: 0 as const,
        ...shipOf(buyer),
        count: lines.length,
        total: subtotal(lines) / 100,
        product: lines.map(({ product, count }) => ({
          sku: product.sku,
          count,
          seen_price: product.usd_supply,
        })),
      };
      const header = { "Idempotency-Key": key.of(body) };
      const params = { query: { shop: "first" }, header };
      return unwrap(await api.POST("/temp-order", { params, body }));
    },
    onSuccess: async ({ invoice_code }) => {
      await drafts.move(uuid, LEFT_CHECKOUT, `checkout:${invoice_code}`);
      void navigate(`/order/checkout-deposit/${encodeURIComponent(invoice_code)}`);
    },
    onError: (error) => {
      isSending.current = false;
      if (!(error instanceof ApiError && REFUSED_BASKET.includes(error.code))) return;
      void client.invalidateQueries({ queryKey: productKeys.cart });
      void client.resetQueries({ queryKey: productKeys.lists });
      const { message, code } = error;
      if (code === "price_changed") return setLines(priced(lines, error));
      const isExpected = code === "below_minimum" || KNOWN_REFUSALS.includes(message);
      void alert(isExpected ? message : texts.somethingWentWrong).then(onClose);
    },
  });
  return {
    lines,
    // Once it is answered too: until the screen is gone.
    busy: request.isPending || request.isSuccess,
    unanswered: request.isError && isUncertain(request.error),
    send: () => {
      if (isSending.current) return;
      isSending.current = true;
      request.mutate();
    },
  };
}

/** The lines at the prices of now, which a refusal names: `{sku: [shown, now]}`. */
function priced(lines: readonly RequestedLine[], { errors }: ApiError): RequestedLine[] {
  return lines.map(({ product, count }) => {
    const now = errors[product.sku]?.[1];
    if (now === undefined) return { product, count };
    return { product: { ...product, usd_supply: Number(now) }, count, before: product.usd_supply };
  });
}
