import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useUser } from "@/api/session";
import { useSettled } from "@/shared/effects";
import { Button } from "@/shared/ui/Button";
import { failureText } from "@/shared/ui/failure";
import { SearchField } from "@/shared/ui/SearchField";
import styles from "./ChooseProduct.module.css";
import type { ListLine, ReviewedLine } from "./list-review";
import { foundProducts, useLearnCode } from "./own-codes";

const TYPING_MS = 250;

interface ChooseProductProps {
  line: ListLine;
  /** What the product is called in the list. */
  code: string;
  /** Whether it is kept that the code means the product. */
  remember?: boolean;
  /** Told the line as it would be ordered with the product that was chosen. */
  onChosen: (reviewed: ReviewedLine) => void;
}

/** Says which product a code of the buyer's own means; the next list with it asks no more. */
export function ChooseProduct({ line, code, remember = true, onChosen }: ChooseProductProps) {
  const { row, count, packs, unit } = line.asked;
  const [search, setSearch] = useState("");
  const { uuid } = useUser();
  const words = useSettled(search.trim(), TYPING_MS);
  const { data: found } = useQuery({ ...foundProducts(uuid, words), enabled: words !== "" });
  const learn = useLearnCode();
  const choose = (sku: string) => {
    if (!learn.isPending)
      learn.mutate({ code, sku, row, count, remember, packs, unit }, { onSuccess: onChosen });
  };
  return (
    <div className={styles.choice}>
      <SearchField
        label={`Which product is ${code}?`}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {words && found && (
        <ul aria-label={`Products for ${code}`}>
          {found.map(({ sku, eng_name }) => (
            <li key={sku}>
              <span>
                {eng_name} <span className="num">{sku}</span>
              </span>
              <Button
                size="small"
                variant="soft"
                busy={learn.isPending && learn.variables.sku === sku}
                aria-label={`This one: ${eng_name}`}
                onClick={() => choose(sku)}
              >
                This one
              </Button>
            </li>
          ))}
          {found.length === 0 && <li>No product found.</li>}
        </ul>
      )}
      <p role="status">{learn.isError && failureText(learn.error)}</p>
    </div>
  );
}
