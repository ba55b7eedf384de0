import { ArrowUpDown, Check } from "lucide-react";
import { counted } from "@/domain/units";
import { AsOf } from "@/shared/ui/AsOf";
import type { ProductQuery } from "../queries";
import styles from "./ProductFilters.module.css";

const SORTED = [
  { value: "", label: "Brand" },
  { value: "name", label: "Name" },
  { value: "price", label: "Price" },
  { value: "new", label: "New" },
] as const;

interface ProductFiltersProps {
  filters: ProductQuery;
  onFilter: (changes: Partial<ProductQuery>) => void;
  /** Of the list; a phone shows it here. */
  title: string;
  /** Products of the list; undefined until they are counted. */
  total: number | undefined;
  /** There are more than are counted. */
  isLeast: boolean;
  /** When the list was loaded, in milliseconds since 1970. */
  at: number;
}

/** The order of the product list, what of it is shown, and how many products that are. */
export function ProductFilters({
  filters,
  onFilter,
  title,
  total,
  isLeast,
  at,
}: ProductFiltersProps) {
  return (
    <div className={styles.filters}>
      <p className={styles.place}>
        <strong aria-hidden>{title}</strong>
        <span className="tabular-nums" role="status">
          {total !== undefined && `${isLeast ? "More than " : ""}${counted(total, "product")}`}
        </span>
        <AsOf at={at} />
      </p>
      <label className={styles.chip}>
        <ArrowUpDown size={14} strokeWidth={1.8} aria-hidden />
        Sort
        <select
          aria-label="Sort products by"
          value={filters.sort}
          onChange={(event) => onFilter({ sort: event.target.value as ProductQuery["sort"] })}
        >
          {SORTED.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        className={styles.chip}
        aria-label="In stock only"
        aria-pressed={filters.in_stock}
        onClick={() => onFilter({ in_stock: !filters.in_stock })}
      >
        {filters.in_stock && <Check size={14} strokeWidth={2} aria-hidden />}
        In stock
      </button>
    </div>
  );
}
