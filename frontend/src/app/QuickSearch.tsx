import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type RefObject, useState } from "react";
import { flushSync } from "react-dom";
import { useNavigate } from "react-router";
import { api, errorCode, unwrap } from "@/api/client";
import { orderPath } from "@/domain/orders";
import { cx } from "@/shared/cx";
import { useWindowEvent } from "@/shared/effects";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { Failure } from "@/shared/ui/Panels";
import { SearchField } from "@/shared/ui/SearchField";
import styles from "./QuickSearch.module.css";

interface QuickSearchProps {
  uuid: string;
  input: RefObject<HTMLInputElement | null>;
  /** `/` was pressed: the box must become visible where it is folded away. */
  onReveal: () => void;
  /** An order was found; the box may fold away again. */
  onDone: () => void;
}

/** Finds an order by its invoice number and goes to it. Enter submits, `/` brings the focus here. */
export function QuickSearch({ uuid, input, onReveal, onDone }: QuickSearchProps) {
  const navigate = useNavigate();
  const [number, setNumber] = useState("");
  const search = useMutation({
    mutationFn: async (invoice_number: string) => {
      const params = { path: { uuid, invoice_number } };
      try {
        const call = await api.GET("/dashboard/quick/{uuid}/{invoice_number}", { params });
        return unwrap(call).invoice_code;
      } catch (error) {
        // A number that makes no path of the call is no order either.
        if (errorCode(error) === "not_found") return undefined;
        throw error;
      }
    },
  });

  useWindowEvent("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.activeElement?.matches("input, select, textarea, [contenteditable]")) return;
    if (document.querySelector("[role=dialog], [role=alertdialog], [role=menu]")) return;
    event.preventDefault();
    // At once, so that what is typed right after the slash lands in the box.
    flushSync(onReveal);
    input.current?.focus();
  });

  const goTo = (code: string | null | undefined) => {
    if (!code) return void alert(texts.invoiceNotFound);
    setNumber("");
    onDone();
    navigate(orderPath(code));
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const code = number.trim();
    if (!code) return void alert(texts.enterInvoiceNumber);
    if (!search.isPending) search.mutate(code, { onSuccess: goTo });
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: not every browser in use knows <search>.
    <form role="search" aria-label="Quick Search" className="relative" onSubmit={submit}>
      <SearchField
        label="Invoice Number"
        ref={input}
        className={styles.field}
        value={number}
        maxLength={64}
        onChange={(event) => setNumber(event.target.value)}
      />
      <kbd
        className={cx(
          styles.hint,
          "absolute border border-line-2 bg-surface text-ink-3 top-1/2 right-8",
          "py-1 px-6 rounded-[5px] pointer-events-none phone:hidden",
        )}
        aria-hidden
      >
        /
      </kbd>
      <div
        className="absolute top-[calc(100%_+_4px)] right-0 w-max
          [&>p]:py-4 [&>p]:px-8 [&>p]:rounded-1 [&>p]:bg-surface [&>p]:shadow-menu"
      >
        <Failure error={search.error} />
      </div>
    </form>
  );
}
