import { useMutation } from "@tanstack/react-query";
import { lazy, useState } from "react";
import { useSearchParams } from "react-router";
import { api, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { basket } from "@/domain/basket";
import { counted } from "@/domain/figures";
import { type Former, formerIn, isMonth } from "@/domain/orders";
import { useOnChange } from "@/shared/effects";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { failureText } from "@/shared/ui/failure";
import { Part, usePopup } from "@/shared/ui/popup";
import { toast } from "@/shared/ui/toasts";
import { usePutIntoBasket } from "@/shared/use-put-into-basket";
import { type FormerKind, useKeepFormer } from "../baskets/keep-basket";
import { nameOf } from "../baskets/saved-baskets";
import { checkStock, type Product } from "../queries";
import { useOrderPlace, without } from "../use-order-place";
import type { Basket, Note } from "./use-basket";

const AgainDialog = lazy(() => import("./AgainDialog"));
const UNAVAILABLE = "Removed: not available now.";

type How = "replace" | "add";

/** What comes into the basket from elsewhere, and what is said of it. */
interface Refill {
  readonly items: readonly { product: Product; count: number }[];
  /** What is not as it was. */
  readonly notes: readonly Note[];
  /** What the basket before is kept as, where it is replaced. */
  readonly former: FormerKind;
  readonly title: string;
  readonly question: (inBasket: number) => string;
  /** What is said once it is there; `note` names the basket before. */
  readonly message: (how: How, note: string) => string;
}

type Source = { readonly how?: How | undefined } & (
  | { readonly order: Former }
  | { readonly saved: string }
);

/**
 * Fills the basket from former orders or a basket that was put by, which an address may name: asks what becomes of the
 * products that are there, unless `how` says it, and names what is not as it was, with the way back.
 */
export function useRefill({ tell, items }: Basket) {
  const { uuid } = useUser();
  const { showPanel } = useOrderPlace();
  const [query, setQuery] = useSearchParams();
  const asking = usePopup<Refill>();
  const [refused, setRefused] = useState<string>();
  const putIntoBasket = usePutIntoBasket();
  const keepFormer = useKeepFormer();

  const put = (refill: Refill, how: How) => {
    const before = basket.lines();
    const { refused, undo } = putIntoBasket(refill.items, how);
    setRefused(refused);
    if (refused) return;
    tell(refill.notes);
    toast(refill.message(how, how === "replace" ? keepFormer(refill.former, before) : ""), () => {
      undo();
      tell([]);
    });
  };
  const load = useMutation({
    mutationFn: (source: Source) =>
      "order" in source ? formerOrder(source.order) : savedBasket(source.saved, uuid),
    onSuccess: (refill, { how }) => {
      if (!refill) return;
      if (how || basket.lines().length === 0) put(refill, how ?? "replace");
      else asking.show(refill);
    },
  });
  const fill = (source: Source) => load.mutateAsync(source).catch(() => undefined);

  const source = sourceIn(query);
  useOnChange(source && JSON.stringify(source), async () => {
    const refill = source && (await fill(source));
    // Once: a reload must not fill it again.
    setQuery(
      (before) => {
        const after = without(before, "again", "sku", "open", "add");
        if (refill) after.set("panel", "basket");
        return after;
      },
      { replace: true },
    );
  });

  return {
    /** What it waits for. */
    waitsFor: load.isPending ? ("order" in load.variables ? "order" : "saved") : undefined,
    failure: load.error ? failureText(load.error) : refused,
    reset: load.reset,
    openSaved: (saved: string) => void fill({ saved }),
    replaceByOrder: async (of: string) => {
      if (await fill({ order: { of }, how: "replace" })) showPanel("basket");
    },
    dialog: (
      <Part>
        {asking.subject && (
          <AgainDialog
            {...asking.dialog}
            title={asking.subject.title}
            onAnswer={(how) => {
              asking.close();
              if (asking.subject) put(asking.subject, how);
            }}
          >
            {asking.subject.question(items.length)}
          </AgainDialog>
        )}
      </Part>
    ),
  };
}

/** What an address puts into the basket. */
function sourceIn(query: URLSearchParams): Source | undefined {
  const order = formerIn(query);
  // One line of an order goes beside what is there.
  if (order) return { order, how: order.sku ? "add" : undefined };
  const added = query.get("add");
  const saved = query.get("open") ?? added;
  return saved ? { saved, how: saved === added ? "add" : undefined } : undefined;
}

/** What can be ordered of former orders; undefined, and told, if nothing can. */
async function formerOrder(source: Former): Promise<Refill | undefined> {
  const { of, sku } = source;
  const query = {
    ...(isMonth(source) ? { month: of } : { invoice_code: of }),
    ...(sku && { sku }),
  };
  const call = await api.GET("/order-again", { params: { query } });
  const lines = call.error && call.response.status === 404 ? [] : unwrap(call).lines;
  const items = lines.flatMap(({ product, count }) =>
    product && count ? [{ product, count }] : [],
  );
  if (items.length === 0) {
    void alert(texts.nothingRetrievable);
    return undefined;
  }
  const products = counted(items.length, "product");
  return {
    items,
    notes: lines.flatMap(({ eng_name, notes }) =>
      notes.length > 0 ? [{ name: eng_name, text: notes.join(" ") }] : [],
    ),
    former: "recent",
    title: "Order again",
    question: (inBasket) =>
      `${products} can be ordered again. There ${inBasket === 1 ? "is" : "are"} ${counted(inBasket, "product")} in the basket already.`,
    message: (_, note) => (note ? `Basket replaced.${note}` : `${products} put into the basket.`),
  };
}

/** A basket that was put by; undefined, and told, where it is gone. */
async function savedBasket(saved: string, uuid: string): Promise<Refill | undefined> {
  const call = await api.GET("/baskets/{basket}", { params: { path: { basket: saved } } });
  if (call.error && call.response.status === 404) {
    toast("This basket is no longer there.");
    return undefined;
  }
  const answer = unwrap(call);
  const products = await checkStock(uuid, answer.lines);
  const lines = answer.lines.map(({ sku, count }) => ({ sku, count, product: products[sku] }));
  return {
    items: lines.flatMap(({ product, count }) =>
      product?.selectable === 1 ? [{ product, count }] : [],
    ),
    notes: lines.flatMap(({ product, sku }) =>
      product?.selectable === 1 ? [] : [{ name: product?.eng_name ?? sku, text: UNAVAILABLE }],
    ),
    former: "replaced",
    title: `Open “${nameOf(answer)}”`,
    question: (inBasket) => `There are ${counted(inBasket, "product")} in your basket.`,
    message: (how, note) => `“${nameOf(answer)}” ${how === "add" ? "added" : "opened"}.${note}`,
  };
}
