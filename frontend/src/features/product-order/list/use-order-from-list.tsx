import { Upload } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { useWindowEvent } from "@/shared/effects";
import { useOnceTrue } from "@/shared/ui/popup";
import { without } from "../use-order-place";

const ListDialog = lazy(() => import("./ListDialog"));

const DIALOGS = "[role=dialog], [role=alertdialog]";
const FIELDS = "input, textarea, select, [contenteditable]";
/** In the address while the dialog is open: the browser's Back closes it, a reload or a mail's link opens it. */
const LIST = "list";

/** Order from a list: opened by `open`, by a file dropped or two columns pasted on the page. */
export function useOrderFromList() {
  const [query, setQuery] = useSearchParams();
  const cameFromPage = useLocation().state === LIST;
  const navigate = useNavigate();
  const [opened, setOpened] = useState<{ number: number; sent?: File | string | undefined }>({
    number: 0,
  });
  const [over, setOver] = useState(false);
  const isOpen = query.has(LIST);
  const isUsed = useOnceTrue(isOpen);

  const open = (sent?: File | string) => {
    // Another number, so that the dialog begins anew.
    setOpened(({ number }) => ({ number: number + 1, sent }));
    setQuery((before) => new URLSearchParams([...without(before, LIST), [LIST, "open"]]), {
      state: LIST,
    });
  };
  const close = () => {
    if (cameFromPage) navigate(-1);
    else setQuery((before) => without(before, LIST), { replace: true });
  };

  useWindowEvent("paste", (event) => {
    const { target, clipboardData } = event;
    if (!clipboardData || document.querySelector(DIALOGS)) return;
    if (target instanceof Element && target.closest(FIELDS)) return;
    const list = listIn(clipboardData);
    if (!list) return;
    open(list);
    event.preventDefault();
  });
  useWindowEvent("drop", (event) => {
    setOver(false);
    if (!holdsFiles(event) || event.defaultPrevented) return;
    // Whatever is dropped, the browser must not open it in place of the page.
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    if (file && !document.querySelector(DIALOGS)) open(file);
  });
  useWindowEvent("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    setOver(!document.querySelector(DIALOGS));
  });
  useWindowEvent("dragleave", (event) => {
    if (!event.relatedTarget) setOver(false);
  });

  const dialog = (
    <>
      {over && (
        <div
          // The drop reaches the page below, which listens.
          className="bg-[color-mix(in_srgb,var(--bg)_72%,transparent)] fixed grid
            place-items-center inset-0 z-(--z-dialog) p-24 pointer-events-none [&_strong]:serif-20
            [&_strong]:tracking-serif"
        >
          <p
            className="grid justify-items-center gap-8 w-[min(100%,560px)] py-48 px-24 border-2
              border-dashed border-graphic rounded-4 bg-accent-soft text-accent text-center"
          >
            <Upload size={28} strokeWidth={1.6} />
            <strong>Drop your list here</strong>
            <span>The price list with your quantities, or your own .xlsx or .csv</span>
          </p>
        </div>
      )}
      {isUsed && (
        <Suspense fallback={null}>
          <ListDialog key={opened.number} open={isOpen} sent={opened.sent} onClose={close} />
        </Suspense>
      )}
    </>
  );
  return { open: () => open(), dialog };
}

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

/** The list in what was pasted: a text that looks like one, or a file. */
function listIn(data: DataTransfer): File | string | undefined {
  const text = data.getData("text/plain");
  if (looksLikeList(text)) return text;
  const [file] = data.files;
  return file && /\.(xlsx|csv|tsv|txt)$/i.test(file.name) ? file : undefined;
}

/** Columns; a SKU and its pieces; an EAN as it is printed, in groups, and its pieces. */
const LISTS = [
  /^[^\S\n]*\S[^\n\t]*\t[^\n]*\d/m,
  /^\s*(\S+(\s*[,;]\s*|\s+)|[^\s:=]{3,}\s*[:=]\s*)\d+\s*$/m,
  /^\s*(ean:?\s+)?(\d{13}|\d{4}[ -]\d{4}|\d[ -]\d{5,6}[ -]\d{5,6}([ -]\d)?)[\s:=]+\d+\s*$/im,
];

/** Whether a pasted text looks like SKUs beside quantities: nothing else that is pasted may open the review. */
export const looksLikeList = (text: string): boolean => LISTS.some((list) => list.test(text));
