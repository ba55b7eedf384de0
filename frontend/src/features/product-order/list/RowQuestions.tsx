import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { count as figure, usd } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { useSettled } from "@/shared/effects";
import { accountKeys, productKeys } from "@/shared/query-keys";
import { Button } from "@/shared/ui/Button";
import { Checkbox } from "@/shared/ui/Field";
import { Failure } from "@/shared/ui/Panels";
import { ProductImage } from "@/shared/ui/ProductImage";
import { piecesIn, sayLimits } from "@/shared/ui/pieces";
import { SearchField } from "@/shared/ui/SearchField";
import styles from "./ListRow.module.css";
import type { ListLine, ReviewedLine } from "./list-review";

interface EnterPiecesProps {
  name: string;
  line: ListLine;
  /** Told the line as it would be ordered with these pieces. */
  onEntered: (field: HTMLElement, reviewed: ReviewedLine) => void;
}

/** Asks how many pieces a row means, and remembers how many a carton holds unless the buyer says not to. */
export function EnterPieces({ name, line, onEntered }: EnterPiecesProps) {
  const [pieces, setPieces] = useState("");
  const [remember, setRemember] = useState(true);
  const learn = useLearnCode();
  const count = piecesIn(pieces);
  const { row, product, packs, unit } = line.asked;
  const inOne = count && packs > 0 && count % packs === 0 ? count / packs : 0;
  return (
    <form
      className={cx(styles.pieces, "flex flex-wrap items-center justify-end gap-y-8 gap-x-10")}
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.querySelector("input");
        if (!count) return sayLimits(pieces);
        if (!field || !product || learn.isPending) return;
        const { sku } = product;
        learn.mutate(
          { code: sku, sku, row, count, remember: remember && inOne > 0, packs, unit },
          { onSuccess: (reviewed) => onEntered(field, reviewed) },
        );
      }}
    >
      <input
        aria-label={`Pieces of ${name}`}
        placeholder="Pieces"
        inputMode="numeric"
        autoComplete="off"
        maxLength={7}
        value={pieces}
        onChange={({ target }) => setPieces(target.value)}
      />
      <Button size="small" variant="soft" type="submit" busy={learn.isPending} disabled={!pieces}>
        Apply
      </Button>
      {inOne > 0 && (
        <Checkbox checked={remember} onChange={({ target }) => setRemember(target.checked)}>
          Remember {figure(inOne)} in a {unit}
        </Checkbox>
      )}
      <Failure error={learn.error} />
    </form>
  );
}

const TYPING_MS = 250;
const SHOWN = 5;

interface WhichProductProps {
  line: ListLine;
  /** Told the line as it would be ordered with the product that was chosen. */
  onChoose: (button: HTMLElement, reviewed: ReviewedLine) => void;
}

/** Asks which product a row means: the likeliest, or what a search finds. None is chosen; the answer is remembered. */
export function WhichProduct({ line, onChoose }: WhichProductProps) {
  const { row, count, called, sku: code, words, packs, unit, candidates } = line.asked;
  const name = called || code;
  const { uuid } = useUser();
  const [search, setSearch] = useState(name || words);
  // What is only filled in is looked up once somebody comes to it: a long list asks for many products.
  const [isSearching, setSearching] = useState(false);
  const [remember, setRemember] = useState(true);
  const settled = useSettled(search.trim(), TYPING_MS);
  const { data: matches } = useQuery({
    queryKey: [...productKeys.all, "found", settled],
    enabled: isSearching && settled !== "",
    queryFn: async ({ signal }) => {
      const params = { path: { uuid, brand_id: 0 }, query: { search: settled } };
      const call = await api.GET("/product/stock/{uuid}/{brand_id}", { params, signal });
      return unwrap(call).result.slice(0, SHOWN);
    },
  });
  const learn = useLearnCode();
  const offered = matches?.map((product) => ({ product, why: "" })) ?? candidates;
  const choose = (sku: string, button: HTMLElement) => {
    if (learn.isPending) return;
    const keep = remember && name !== "";
    learn.mutate(
      { code: name || sku, sku, row, count, remember: keep, packs, unit },
      { onSuccess: (reviewed) => onChoose(button, reviewed) },
    );
  };
  return (
    <div className="grid gap-8 flex-[1_1_100%]">
      <ul className="grid gap-6" aria-label={`Products for ${name || words}`}>
        {offered.map(({ product, why }) => (
          <li key={product.sku} className="flex items-center gap-12">
            <ProductImage image={product.image} side={40} />
            <span className="grid flex-1 min-w-0">
              {product.eng_name}
              <span className="tabular-nums text-ink-3 text-13">
                {[product.sku, usd(product.usd_supply), unavailable(product), why]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </span>
            <Button
              size="small"
              variant="soft"
              busy={learn.isPending && learn.variables.sku === product.sku}
              aria-label={`Choose ${product.eng_name}`}
              onClick={({ currentTarget }) => choose(product.sku, currentTarget)}
            >
              Choose
            </Button>
          </li>
        ))}
        {matches?.length === 0 && <li>No product found.</li>}
      </ul>
      <SearchField
        label={`Which product is ${name || words}?`}
        value={search}
        onFocus={() => candidates.length === 0 && setSearching(true)}
        onChange={({ target }) => {
          setSearch(target.value);
          setSearching(true);
        }}
      />
      {name && (
        <Checkbox checked={remember} onChange={({ target }) => setRemember(target.checked)}>
          Remember {name}
        </Checkbox>
      )}
      <Failure error={learn.error} />
    </div>
  );
}

const unavailable = (product: Schemas["Product"]) =>
  product.selectable === 1 ? "" : product.availability;

/** POST /account/own-codes: keeps what the company calls a product, and returns the list's line with it. */
function useLearnCode() {
  return useMutation({
    meta: { refreshes: [accountKeys.codes] },
    mutationFn: async (body: Schemas["LearnedCodeRequest"]) =>
      unwrap(await api.POST("/account/own-codes", { body })).line,
  });
}
