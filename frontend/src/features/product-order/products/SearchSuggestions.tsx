import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import type { RefObject } from "react";
import { api, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { cx } from "@/shared/cx";
import { useOnChange, useSettled } from "@/shared/effects";
import { productKeys } from "@/shared/query-keys";
import { ProductImage } from "@/shared/ui/ProductImage";

const TYPING_PAUSE_MS = 150;
const SHORTEST = 3;
const OPTION = cx(
  "flex items-center gap-10 min-h-36 phone:min-h-44 py-4 px-8 rounded-1 cursor-pointer",
  "hover:bg-accent-soft aria-selected:bg-accent-soft",
  "forced-colors:aria-selected:[outline:2px_solid_Highlight]",
  "[&>svg]:flex-none [&>svg]:w-32 [&>svg]:text-ink-3",
);
const NAME = "grid flex-1 min-w-0 truncate";

interface SearchSuggestionsProps {
  /** Of the list; its options are this, a hyphen and their place. */
  id: string;
  popup: RefObject<HTMLDivElement | null>;
  typed: string;
  open: boolean;
  /** The option that the arrow keys lead to; -1: none. */
  active: number;
  onOptions: (hasOptions: boolean) => void;
  onChooseBrand: (brand: number) => void;
  onChooseProduct: (sku: string) => void;
}

/** Below the search: the brands, then the products, that have what is typed so far. The search keeps the focus. */
export default function SearchSuggestions(props: SearchSuggestionsProps) {
  const { id, popup, typed, open, active, onOptions, onChooseBrand, onChooseProduct } = props;
  const { uuid } = useUser();
  const search = useSettled(typed.trim(), TYPING_PAUSE_MS);
  const { data } = useQuery({
    queryKey: [...productKeys.all, "suggested", search],
    queryFn: async ({ signal }) => {
      const params = { path: { uuid }, query: { search } };
      return unwrap(await api.GET("/product/suggest/{uuid}", { params, signal }));
    },
    enabled: open && search.length >= SHORTEST,
    placeholderData: (before) => before,
  });
  const brands = data?.brands ?? [];
  const products = data?.products ?? [];
  const hasOptions = search.length >= SHORTEST && brands.length + products.length > 0;
  useOnChange(hasOptions, onOptions);
  if (!open || !hasOptions) return null;

  const option = (place: number, choose: () => void) => ({
    id: `${id}-${place}`,
    role: "option",
    tabIndex: -1,
    className: OPTION,
    "aria-selected": place === active,
    // The search keeps the focus.
    onMouseDown: (event: { preventDefault: () => void }) => event.preventDefault(),
    onClick: choose,
  });
  return (
    <div
      ref={popup}
      id={id}
      role="listbox"
      aria-label="Suggestions"
      className="absolute overflow-auto border border-line-2 rounded-3 bg-surface
        top-[calc(100%_+_4px)] right-0 z-3 w-[max(100%,360px)] max-w-[calc(100vw_-_24px)]
        max-h-[min(60dvh,420px)] p-6 shadow-menu phone:w-full"
    >
      {brands.map(({ brand_id, eng }, place) => (
        <div key={brand_id} {...option(place, () => onChooseBrand(brand_id))}>
          <Search />
          <span className={NAME}>{eng}</span>
          <span className="text-ink-3 text-12">Brand</span>
        </div>
      ))}
      {products.map(({ sku, eng_name, brand, image }, place) => (
        <div key={sku} {...option(brands.length + place, () => onChooseProduct(sku))}>
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
