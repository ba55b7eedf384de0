import { useQuery } from "@tanstack/react-query";
import { LayoutGrid, Sparkles } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useUser } from "@/api/session";
import { Card } from "@/shared/ui/Card";
import { RetryPanel } from "@/shared/ui/Panels";
import { SearchField } from "@/shared/ui/SearchField";
import { Loading, Skeleton } from "@/shared/ui/Skeleton";
import { useRoving } from "@/shared/ui/use-roving";
import { ALL_PRODUCTS, type BrandChoice, brands } from "../queries";
import styles from "./BrandPanel.module.css";

const SKELETON_WIDTHS = [70, 108, 144, 101, 138, 95, 132, 88, 126, 82, 120, 76, 114, 70];

interface BrandPanelProps {
  chosen: BrandChoice;
  onChoose: (brand: BrandChoice) => void;
  className?: string | undefined;
}

/** Promotion, all products, and the brands that this buyer sees; the search filters them in place. */
export function BrandPanel({ chosen, onChoose, className }: BrandPanelProps) {
  const { uuid } = useUser();
  const { data, error, isError, isFetching, refetch } = useQuery(brands(uuid));
  const [search, setSearch] = useState("");
  const words = search.trim().toLowerCase();
  const found = data?.filter(({ eng }) => eng.toLowerCase().includes(words));

  const shown = [
    "promotion" as const,
    ALL_PRODUCTS,
    ...(found ?? []).map(({ brand_id }) => brand_id),
  ];
  const roving = useRoving(shown.indexOf(chosen));

  const entry = (brand: BrandChoice, label: string, icon?: ReactNode) => (
    <button
      key={brand}
      type="button"
      role="option"
      className={styles.entry}
      {...roving.item(shown.indexOf(brand))}
      data-shortcut={roving.stop === shown.indexOf(brand) ? "b" : undefined}
      aria-selected={brand === chosen}
      onClick={() => onChoose(brand)}
    >
      {icon}
      {label}
    </button>
  );

  return (
    <Card aria-label="Brands" {...(className && { className })}>
      <div className={styles.search}>
        <SearchField
          label="Search brand"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <div className={styles.list}>
        <div role="listbox" aria-label="Brands" {...roving.list}>
          {entry("promotion", "Promotion", <Sparkles size={16} strokeWidth={1.8} aria-hidden />)}
          {entry(
            ALL_PRODUCTS,
            "All products",
            <LayoutGrid size={16} strokeWidth={1.8} aria-hidden />,
          )}
          <hr className={styles.rule} aria-hidden />
          {found?.map(({ brand_id, eng }) => entry(brand_id, eng))}
        </div>
        {found?.length === 0 && <p className={styles.none}>No brands found.</p>}
        {!data && isError && (
          <RetryPanel error={error} busy={isFetching} onRetry={() => void refetch()} />
        )}
        {!data && !isError && (
          <Loading className={styles.skeletons}>
            {SKELETON_WIDTHS.map((width, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing.
              <Skeleton key={index} width={width} height={13} />
            ))}
          </Loading>
        )}
      </div>
    </Card>
  );
}
