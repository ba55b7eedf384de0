import { Upload } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useSearchParams } from "react-router";
import { useArrival, useWindowEvent } from "@/shared/effects";
import styles from "./OrderFromList.module.css";
import { looksLikeList, pasted } from "./pasted-list";
import { useListPlace } from "./use-list-place";

const ListDialog = lazy(() => import("./ListDialog"));

const DIALOGS = "[role=dialog], [role=alertdialog]";
const FIELDS = "input, textarea, select, [contenteditable]";

interface Opened {
  /** Another one for each list, so that the dialog begins anew. */
  readonly number: number;
  readonly list: File | undefined;
  readonly message: string | undefined;
  /** The list in hand that the dialog is at. */
  readonly inHand: string | undefined;
  readonly open: boolean;
}

const CLOSED: Opened = {
  number: 0,
  list: undefined,
  message: undefined,
  inHand: undefined,
  open: false,
};
/** In the address that staff mail with a message that they pasted: which it is. */
const MESSAGE = "message";

/**
 * Order from a list: by what `children` draws to open it, by a file that is dropped anywhere on the page, by two
 * columns that are pasted anywhere outside a field, by the link to a message that staff pasted, or by the address of a
 * list in hand. `onPut` is told when the lines are in the basket.
 */
export function OrderFromList({
  children,
  onPut,
}: {
  children: (open: () => void) => ReactNode;
  onPut: () => void;
}) {
  const [opened, setOpened] = useState<Opened>(CLOSED);
  const [over, setOver] = useState(false);
  const [query, setQuery] = useSearchParams();
  const place = useListPlace();
  const open = ({ list, message, inHand }: Partial<Opened> = {}) =>
    setOpened(({ number }) => ({ number: number + 1, list, message, inHand, open: true }));

  // The address says which list is open: the browser's Back closes it, a reload opens it again.
  useArrival(place.uuid ?? "", (uuid) => {
    if (!uuid) setOpened((last) => (last.inHand ? { ...last, open: false } : last));
    else if (!opened.open || opened.inHand !== uuid) open({ inHand: uuid });
  });

  useArrival(query.get(MESSAGE) ?? undefined, (message) => {
    setQuery(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete(MESSAGE);
        return after;
      },
      { replace: true },
    );
    open({ message });
  });

  useWindowEvent("paste", (event) => {
    const { target, clipboardData } = event;
    if (!clipboardData || document.querySelector(DIALOGS)) return;
    if (target instanceof Element && target.closest(FIELDS)) return;
    const list = listIn(clipboardData);
    if (!list) return;
    open({ list });
    event.preventDefault();
  });
  useWindowEvent("drop", (event) => {
    setOver(false);
    if (!holdsFiles(event) || event.defaultPrevented) return;
    // Whatever is dropped, the browser must not open it in place of the page.
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    if (file && !document.querySelector(DIALOGS)) open({ list: file });
  });

  useWindowEvent("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    setOver(!document.querySelector(DIALOGS));
  });
  useWindowEvent("dragleave", (event) => {
    if (!event.relatedTarget) setOver(false);
  });

  return (
    <>
      {children(() => open())}
      {over && (
        <div className={styles.target}>
          <p>
            <Upload size={28} strokeWidth={1.6} aria-hidden />
            <strong>Drop your list here</strong>
            <span>The price list with your quantities, or your own .xlsx or .csv</span>
          </p>
        </div>
      )}
      {opened.number > 0 && (
        <Suspense fallback={null}>
          <ListDialog
            key={opened.number}
            open={opened.open}
            list={opened.list}
            message={opened.message}
            inHand={opened.inHand}
            onInHand={(inHand) => {
              setOpened((last) => ({ ...last, inHand }));
              if (inHand) place.go(inHand);
              else place.forget();
            }}
            onClose={() => {
              setOpened((last) => ({ ...last, open: false }));
              place.leave();
            }}
            onPut={onPut}
          />
        </Suspense>
      )}
    </>
  );
}

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

/** The list in what was pasted: a text that looks like one, or a file. */
function listIn(data: DataTransfer): File | undefined {
  const text = data.getData("text/plain");
  if (looksLikeList(text)) return pasted(text);
  const [file] = data.files;
  return file && /\.(xlsx|csv|tsv|txt)$/i.test(file.name) ? file : undefined;
}
