import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { api, errorCode, unwrap } from "@/api/client";
import { basket } from "@/domain/basket";
import { counted } from "@/domain/figures";
import { type Former, formerIn, isMonth } from "@/domain/orders";
import { useOnChange } from "@/shared/effects";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { usePopup } from "@/shared/ui/popup";
import { toast } from "@/shared/ui/toasts";
import { usePutIntoBasket } from "@/shared/use-put-into-basket";
import { type FormerKind, useKeepFormer } from "../baskets/keep-basket";
import type { Product } from "../queries";
import { useOrderPlace, without } from "../use-order-place";
import type { Basket, Note } from "./use-basket";

interface Refill {
  readonly items: readonly { product: Product; count: number }[];
  readonly notes: readonly Note[];
}

interface Filling extends Refill {
  readonly how: "replace" | "add";
  /** What the basket before is kept as, where it is replaced. */
  readonly former: FormerKind;
  /** What is said then; `kept` names the basket before. */
  readonly message: (note: string) => string;
}

/** Puts lines into the basket and tells what is not as it was, with the way back; returns why it cannot. */
export function useFill(shown: Basket) {
  const putIntoBasket = usePutIntoBasket();
  const keepFormer = useKeepFormer();
  return ({ items, notes, how, former, message }: Filling): string | undefined => {
    const before = basket.lines();
    const { refused, undo } = putIntoBasket(items, how);
    if (refused) return refused;
    shown.tell(notes);
    toast(message(how === "replace" ? keepFormer(former, before) : ""), () => {
      undo();
      shown.tell([]);
    });
    return undefined;
  };
}

/** Puts former orders into the basket, at `/order?again=…` or by `replaceBy`, and names what is not as it was. */
export function useOrderAgain(shown: Basket) {
  const former = useMutation({
    mutationFn: async (source: Former): Promise<Refill> => {
      const { of, sku } = source;
      const named = isMonth(source) ? { month: of } : { invoice_code: of };
      const query = { ...named, ...(sku && { sku }) };
      const { lines } = unwrap(await api.GET("/order-again", { params: { query } }));
      return {
        items: lines.flatMap(({ product, count }) =>
          product && count ? [{ product, count }] : [],
        ),
        notes: lines.flatMap(({ eng_name, notes }) =>
          notes.length > 0 ? [{ name: eng_name, text: notes.join(" ") }] : [],
        ),
      };
    },
  });
  const fill = useFill(shown);
  const { showPanel } = useOrderPlace();
  const [query, setQuery] = useSearchParams();
  const asking = usePopup<Refill>();
  const [failure, setFailure] = useState<string>();

  const finish = (refill: Refill, how: "replace" | "add") => {
    asking.close();
    const text = `${counted(refill.items.length, "product")} put into the basket.`;
    const message = (note: string) => (note ? `Basket replaced.${note}` : text);
    setFailure(fill({ ...refill, how, former: "recent", message }));
  };

  /** What can be ordered of it; undefined, and told, if nothing can. */
  const find = async (source: Former): Promise<Refill | undefined> => {
    try {
      const answer = await former.mutateAsync(source);
      if (answer.items.length > 0) return answer;
    } catch (error) {
      if (errorCode(error) !== "not_found") return undefined;
      former.reset();
    }
    void alert(texts.nothingRetrievable);
    return undefined;
  };

  const replaceBy = async (invoiceCode: string) => {
    const answer = await find({ of: invoiceCode });
    if (!answer) return;
    finish(answer, "replace");
    showPanel("basket");
  };

  const source = formerIn(query);
  useOnChange(source && JSON.stringify(source), async () => {
    if (!source) return;
    const answer = await find(source);
    // Once: a reload must not order again.
    setQuery(
      (before) => {
        const after = without(before, "again", "sku");
        if (answer) after.set("panel", "basket");
        return after;
      },
      { replace: true },
    );
    if (!answer) return;
    if (source.sku || basket.lines().length === 0) finish(answer, "add");
    else asking.show(answer);
  });

  return {
    busy: former.isPending,
    error: former.error,
    failure,
    reset: former.reset,
    replaceBy: (invoiceCode: string) => void replaceBy(invoiceCode),
    /** The question what becomes of the basket, about what comes into it. */
    asking,
    finish,
  };
}
