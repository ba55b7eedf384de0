import { ArrowUpDown, Check } from "lucide-react";
import { counted } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { Options } from "@/shared/ui/Field";
import { AsOf } from "@/shared/ui/Panels";
import { type ProductPage, type ProductQuery, SORTS } from "../queries";
import { useOrderPlace } from "../use-order-place";
import styles from "./ProductFilters.module.css";

const CHIP = cx(
  styles.chip,
  "inline-flex flex-none items-center gap-6 rounded-pill bg-surface text-ink-2 text-13 border",
  "border-line-2 whitespace-nowrap cursor-pointer h-28 py-0 px-11 hover:bg-surface-2",
);

interface ProductFiltersProps {
  /** Of the list; a phone shows it here. */
  title: string;
  /** Says how many products there are, where they are more than are loaded; undefined until it is there. */
  first: ProductPage | undefined;
  loaded: number;
  /** When the list was loaded, in milliseconds since 1970. */
  at: number;
}

/** The order of the product list, what of it is shown, and how many products that are. */
export function ProductFilters({ title, first, loaded, at }: ProductFiltersProps) {
  const { filters, setFilters } = useOrderPlace();
  return (
    <div
      className="flex items-center gap-6 flex-1 min-w-min laptop:order-1 laptop:basis-full
        phone:flex-[1_0_300px] phone:min-w-0"
    >
      <p
        className={cx(
          styles.place,
          "flex flex-wrap items-baseline gap-x-8 flex-1 min-w-min overflow-hidden text-ink-3",
          "text-13 whitespace-nowrap [&_strong]:hidden phone:grid phone:gap-0 phone:min-w-0",
          "phone:leading-[1.3]",
        )}
      >
        <strong aria-hidden>{title}</strong>
        <span className="tabular-nums" role="status">
          {first &&
            `${first.total_is_least ? "More than " : ""}${counted(first.total ?? loaded, "product")}`}
        </span>
        <AsOf at={at} />
      </p>
      <label className={CHIP}>
        <ArrowUpDown size={14} />
        Sort
        <select
          aria-label="Sort products by"
          value={filters.sort}
          onChange={(event) => setFilters({ sort: event.target.value as ProductQuery["sort"] })}
        >
          <Options of={SORTS} />
        </select>
      </label>
      <button
        type="button"
        className={CHIP}
        aria-label="In stock only"
        aria-pressed={filters.in_stock}
        onClick={() => setFilters({ in_stock: !filters.in_stock })}
      >
        {filters.in_stock && <Check size={14} strokeWidth={2} />}
        In stock
      </button>
    </div>
  );
}
