import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, lazy, Suspense, useId, useRef, useState } from "react";
import { api, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { useOnChange, useSettled } from "@/shared/effects";
import { fetchAhead } from "@/shared/navigation";
import { productKeys } from "@/shared/query-keys";
import { SearchField } from "@/shared/ui/SearchField";
import { useOrderPlace } from "../use-order-place";

const SEARCH_PAUSE_MS = 250;
const SUGGEST_PAUSE_MS = 150;
const SHORTEST_SUGGESTED = 3;
const LONGEST_SEARCH = 100;
const NEXT: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };
const TOUCH = "(hover: none) and (pointer: coarse)";

const loadSuggestions = () => import("./SearchSuggestions");
const SearchSuggestions = lazy(loadSuggestions);
const ScanButton = lazy(() => import("./ScanButton"));

interface ProductSearchProps {
  /** As the address has it. */
  search: string;
  onSearch: (search: string) => void;
  /** Enter: to the first product that is found. */
  onEnter: (search: string) => void;
}

/** The products' search, asked after a pause, with suggestions; Enter leads to what is found. */
export function ProductSearch({ search, onSearch, onEnter }: ProductSearchProps) {
  const { uuid } = useUser();
  const { chooseBrand } = useOrderPlace();
  const id = useId();
  const [draft, setText] = useState(search);
  const [isTyping, setTyping] = useState(false);
  const [active, setActive] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const lastSearch = useRef(search);

  const typed = useSettled(draft.trim(), SUGGEST_PAUSE_MS);
  const isSuggesting = isTyping && typed.length >= SHORTEST_SUGGESTED;
  const { data } = useQuery({
    queryKey: [...productKeys.all, "suggested", typed],
    queryFn: async ({ signal }) => {
      const params = { path: { uuid }, query: { search: typed } };
      return unwrap(await api.GET("/product/suggest/{uuid}", { params, signal }));
    },
    enabled: isSuggesting,
    placeholderData: (before) => before,
  });
  const { brands, products } = data ?? { brands: [], products: [] };
  const many = isSuggesting ? brands.length + products.length : 0;

  const ask = (text: string) => {
    if (text === lastSearch.current) return;
    lastSearch.current = text;
    onSearch(text);
  };
  useOnChange(useSettled(draft.trim(), SEARCH_PAUSE_MS), ask);
  useOnChange(search, () => {
    // By Back or a link, not by typing.
    if (search !== lastSearch.current) setText(search);
    lastSearch.current = search;
  });

  const type = (text: string, isBeingTyped: boolean) => {
    setText(text);
    setTyping(isBeingTyped);
    setActive(-1);
  };
  const accept = (text: string) => {
    type(text, false);
    ask(text);
    // There the next field would bring the keyboard back over what is found.
    if (window.matchMedia(TOUCH).matches) field.current?.blur();
    else onEnter(text);
  };
  const choose = (place: number) => {
    const brand = brands[place];
    const product = products[place - brands.length];
    if (product) accept(product.sku);
    if (!brand) return;
    type("", false);
    chooseBrand(brand.brand_id);
  };
  const enter = () => (active >= 0 && active < many ? choose(active) : accept(draft.trim()));
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = NEXT[event.key];
    const stops = many + 1; // the field itself is one of them
    if (event.key === "Enter") enter();
    else if (many === 0) return;
    else if (step) setActive(((active + 1 + step + stops) % stops) - 1);
    else if (event.key === "Escape") setTyping(false);
    else return;
    event.preventDefault();
  };

  return (
    <div
      className="relative flex gap-8 flex-[0_1_280px] [&>:first-child]:flex-1
        phone:flex-[1_0_240px]"
    >
      <SearchField
        ref={field}
        label="Search product name or SKU"
        maxLength={LONGEST_SEARCH}
        data-shortcut="s"
        value={draft}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={many > 0}
        aria-controls={many > 0 ? id : undefined}
        aria-activedescendant={many > 0 && active >= 0 ? `${id}-${active}` : undefined}
        onChange={(event) => type(event.target.value, true)}
        onKeyDown={onKeyDown}
        onFocus={() => fetchAhead(loadSuggestions)}
        onBlur={() => setTyping(false)}
      />
      <Suspense fallback={null}>
        {many > 0 && <SearchSuggestions {...{ id, brands, products, active }} onChoose={choose} />}
        {"BarcodeDetector" in window && <ScanButton onScan={accept} />}
      </Suspense>
    </div>
  );
}
