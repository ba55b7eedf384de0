import { type KeyboardEvent, lazy, Suspense, useId, useRef, useState } from "react";
import { useOnChange, useSettled } from "@/shared/effects";
import { SearchField } from "@/shared/ui/SearchField";

const TYPING_PAUSE_MS = 250;
const LONGEST_SEARCH = 100;
const NEXT: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };
const TOUCH = "(hover: none) and (pointer: coarse)";

const SearchSuggestions = lazy(() => import("./SearchSuggestions"));
const ScanButton = lazy(() => import("./ScanButton"));

interface ProductSearchProps {
  /** As the address has it. */
  search: string;
  onSearch: (search: string) => void;
  /** Enter: to the first product that is found. */
  onEnter: (search: string) => void;
  onChooseBrand: (brand: number) => void;
}

/** The products' search, asked after a pause, with suggestions; Enter leads to what is found. */
export function ProductSearch({ search, onSearch, onEnter, onChooseBrand }: ProductSearchProps) {
  const id = useId();
  const [draft, setText] = useState(search);
  // What is suggested has been asked for once: its chunk is there.
  const [state, setState] = useState<"unused" | "open" | "closed">("unused");
  const [active, setActive] = useState(-1);
  const [hasOptions, setHasOptions] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const lastSearch = useRef(search);
  const isOpen = state === "open" && hasOptions;

  const ask = (text: string) => {
    if (text === lastSearch.current) return;
    lastSearch.current = text;
    onSearch(text);
  };
  useOnChange(useSettled(draft.trim(), TYPING_PAUSE_MS), ask);
  useOnChange(search, () => {
    // By Back or a link, not by typing.
    if (search !== lastSearch.current) setText(search);
    lastSearch.current = search;
  });

  const type = (text: string, next: "open" | "closed") => {
    setText(text);
    setState(next);
    setActive(-1);
  };
  const accept = (text: string) => {
    type(text, "closed");
    ask(text);
    // There the next field would bring the keyboard back over what is found.
    if (window.matchMedia(TOUCH).matches) field.current?.blur();
    else onEnter(text);
  };
  const options = () => [...(popup.current?.querySelectorAll<HTMLElement>("[role=option]") ?? [])];
  const enter = () => {
    const option = isOpen ? options()[active] : undefined;
    if (option) option.click();
    else accept(draft.trim());
  };
  const walk = (step: 1 | -1) => {
    const all = options().length + 1; // the field itself is one of them
    setActive(((active + 1 + step + all) % all) - 1);
  };
  /** Does what a key stands for; false if it is the field's. */
  const answer = (key: string): boolean => {
    const step = NEXT[key];
    if (key === "Enter") enter();
    else if (!isOpen) return false;
    else if (step) walk(step);
    else if (key === "Escape") setState("closed");
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (answer(event.key)) event.preventDefault();
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
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen && active >= 0 ? `${id}-${active}` : undefined}
        onChange={(event) => type(event.target.value, "open")}
        onKeyDown={onKeyDown}
        onBlur={() => state === "open" && setState("closed")}
      />
      <Suspense fallback={null}>
        {state !== "unused" && (
          <SearchSuggestions
            {...{ id, popup, typed: draft, active }}
            open={state === "open"}
            onOptions={setHasOptions}
            onChooseBrand={(brand) => {
              type("", "closed");
              onChooseBrand(brand);
            }}
            onChooseProduct={accept}
          />
        )}
        {"BarcodeDetector" in window && <ScanButton onScan={accept} />}
      </Suspense>
    </div>
  );
}
