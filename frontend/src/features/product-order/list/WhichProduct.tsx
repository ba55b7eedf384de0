import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useUser } from "@/api/session";
import { usd } from "@/domain/figures";
import { useSettled } from "@/shared/effects";
import { Button } from "@/shared/ui/Button";
import { Checkbox } from "@/shared/ui/Field";
import { failureText } from "@/shared/ui/failure";
import { ProductImage } from "@/shared/ui/ProductImage";
import { SearchField } from "@/shared/ui/SearchField";
import type { ListLine, ReviewedLine } from "./list-review";
import { foundProducts, useLearnCode } from "./own-codes";

const TYPING_MS = 250;

interface WhichProductProps {
  line: ListLine;
  /** Told the line as it would be ordered with the product that was chosen. */
  onChosen: (button: HTMLElement, reviewed: ReviewedLine) => void;
}

/** Asks which product a row means: the likeliest, or what a search finds. None is chosen; the answer is remembered. */
export function WhichProduct({ line, onChosen }: WhichProductProps) {
  const { row, count, called, sku: code, words, packs, unit, candidates } = line.asked;
  const name = called || code;
  const { uuid } = useUser();
  const [search, setSearch] = useState(name || words);
  // What is only filled in is looked up once somebody comes to it: a long list asks for many products.
  const [isSearching, setSearching] = useState(false);
  const [remember, setRemember] = useState(true);
  const settled = useSettled(search.trim(), TYPING_MS);
  const { data: found } = useQuery(foundProducts(uuid, isSearching ? settled : ""));
  const learn = useLearnCode();
  const likely = candidates.map(({ product, why }) => ({ product, why }));
  const shown = found?.map((product) => ({ product, why: "" })) ?? likely;
  const choose = (sku: string, button: HTMLElement) => {
    if (learn.isPending) return;
    const keep = remember && name !== "";
    learn.mutate(
      { code: name || sku, sku, row, count, remember: keep, packs, unit },
      { onSuccess: (reviewed) => onChosen(button, reviewed) },
    );
  };
  return (
    <div className="grid gap-8 flex-[1_1_100%]">
      <ul className="grid gap-6" aria-label={`Products for ${name || words}`}>
        {shown.map(({ product, why }) => (
          <li key={product.sku} className="flex items-center gap-12">
            <ProductImage image={product.image} side={40} />
            <span className="grid flex-1 min-w-0">
              {product.eng_name}
              <span className="tabular-nums text-ink-3 text-13">
                {[product.sku, usd(product.usd_supply), why].filter(Boolean).join(" · ")}
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
        {found?.length === 0 && <li>No product found.</li>}
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
      <p role="status" className="text-bad text-13">
        {learn.isError && failureText(learn.error)}
      </p>
    </div>
  );
}
