import { Search } from "lucide-react";
import type { Schemas } from "@/api/client";
import { cx } from "@/shared/cx";
import { ProductImage } from "@/shared/ui/ProductImage";

const OPTION = cx(
  "flex items-center gap-10 min-h-36 phone:min-h-44 py-4 px-8 rounded-1 cursor-pointer",
  "hover:bg-accent-soft aria-selected:bg-accent-soft",
  "forced-colors:aria-selected:[outline:2px_solid_Highlight]",
  "[&>svg]:flex-none [&>svg]:w-32 [&>svg]:text-ink-3",
);
const NAME = "grid flex-1 min-w-0 truncate";

type Suggestions = Pick<Schemas["Suggestions"], "brands" | "products">;

interface SearchSuggestionsProps extends Suggestions {
  /** Of the list; its options are this, a hyphen and their place. */
  id: string;
  /** The option that the arrow keys lead to; -1: none. */
  active: number;
  onChoose: (place: number) => void;
}

/** Below the search: the brands, then the products, that have what is typed so far. The search keeps the focus. */
export default function SearchSuggestions(props: SearchSuggestionsProps) {
  const { id, brands, products, active, onChoose } = props;
  const option = (place: number) => ({
    id: `${id}-${place}`,
    role: "option",
    tabIndex: -1,
    className: OPTION,
    "aria-selected": place === active,
    // The search keeps the focus.
    onMouseDown: (event: { preventDefault: () => void }) => event.preventDefault(),
    onClick: () => onChoose(place),
  });
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Suggestions"
      className="absolute overflow-auto border border-line-2 rounded-3 bg-surface
        top-[calc(100%_+_4px)] right-0 z-3 w-[max(100%,360px)] max-w-[calc(100vw_-_24px)]
        max-h-[min(60dvh,420px)] p-6 shadow-menu phone:w-full"
    >
      {brands.map(({ brand_id, eng }, place) => (
        <div key={brand_id} {...option(place)}>
          <Search />
          <span className={NAME}>{eng}</span>
          <span className="text-ink-3 text-12">Brand</span>
        </div>
      ))}
      {products.map(({ sku, eng_name, brand, image }, place) => (
        <div key={sku} {...option(brands.length + place)}>
          <ProductImage image={image} side={32} />
          <span className={NAME}>
            {eng_name}
            <span className="truncate text-ink-3 text-12 tabular-nums">
              {brand} · {sku}
            </span>
          </span>
        </div>
      ))}
    </div>
  );
}
