import { useQuery } from "@tanstack/react-query";
import { LayoutGrid, Sparkles } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useUser } from "@/api/session";
import { cx } from "@/shared/cx";
import { Card, Loading, QueryFailed, Skeleton } from "@/shared/ui/Panels";
import { useRoving } from "@/shared/ui/rows";
import { SearchField } from "@/shared/ui/SearchField";
import { ALL_PRODUCTS, type BrandChoice, brands } from "../queries";
import { useOrderPlace } from "../use-order-place";
import styles from "./BrandPanel.module.css";

const SKELETON_WIDTHS = [70, 108, 144, 101, 138, 95, 132, 88, 126, 82, 120, 76, 114, 70];

/** Promotion, all products, and the brands that this buyer sees; the search filters them in place. */
export function BrandPanel({ className }: { className: string }) {
  const { brand: current, chooseBrand } = useOrderPlace();
  const { uuid } = useUser();
  const query = useQuery(brands(uuid));
  const { data } = query;
  const [search, setSearch] = useState("");
  const words = search.trim().toLowerCase();
  const matches = data?.filter(({ eng }) => eng.toLowerCase().includes(words));

  const choices = [
    "promotion" as const,
    ALL_PRODUCTS,
    ...(matches ?? []).map(({ brand_id }) => brand_id),
  ];
  const roving = useRoving(choices.indexOf(current));

  const entry = (brand: BrandChoice, label: string, icon?: ReactNode) => (
    <button
      key={brand}
      type="button"
      role="option"
      className={cx(
        styles.entry,
        "flex items-center w-full border-0 rounded-2 text-ink-2 gap-9 min-h-35",
        "py-6 px-10 bg-transparent text-left aria-selected:font-bold",
      )}
      {...roving.item(choices.indexOf(brand))}
      data-shortcut={roving.stop === choices.indexOf(brand) ? "b" : undefined}
      aria-selected={brand === current}
      onClick={() => chooseBrand(brand)}
    >
      {icon}
      {label}
    </button>
  );

  return (
    <Card aria-label="Brands" className={className}>
      <div
        className={cx(
          styles.search,
          "flex-none pt-10 pb-8 px-10 phone:pt-12 phone:px-16 desk:below-1000:[&_svg]:hidden",
        )}
      >
        <SearchField
          label="Search brand"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <div className="flex-1 overflow-auto overscroll-contain pt-2 pb-10 px-10 phone:pb-12 phone:px-16">
        <div role="listbox" aria-label="Brands" {...roving.list}>
          {entry("promotion", "Promotion", <Sparkles />)}
          {entry(ALL_PRODUCTS, "All products", <LayoutGrid />)}
          <hr className="h-1 my-7 mx-8 border-0 bg-line" aria-hidden />
          {matches?.map(({ brand_id, eng }) => entry(brand_id, eng))}
        </div>
        {matches?.length === 0 && <p className="p-10 text-ink-3">No brands found.</p>}
        {query.isLoadingError && <QueryFailed query={query} />}
        {query.isPending && (
          <Loading className="grid gap-20 p-10">
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
