import { Upload } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useSearchParams } from "react-router";
import { useArrival, useWindowEvent } from "@/shared/effects";
import styles from "./OrderFromList.module.css";
import { looksLikeList, pasted } from "./pasted-list";

const ListDialog = lazy(() => import("./ListDialog"));

const DIALOGS = "[role=dialog], [role=alertdialog]";
const FIELDS = "input, textarea, select, [contenteditable]";

interface Opened {
  /** Another one for each list, so that the dialog begins anew. */
  readonly number: number;
  readonly list: File | undefined;
  readonly message: string | undefined;
  readonly open: boolean;
}

const CLOSED: Opened = { number: 0, list: undefined, message: undefined, open: false };
/** In the address that staff mail with a message that they pasted: which it is. */
const MESSAGE = "message";

/**
 * Order from a list: by what `children` draws to open it, by a file that is dropped anywhere on the page, by two
 * columns that are pasted anywhere outside a field, or by the link to a message that staff pasted. `onPut` is told when the lines are in the basket.
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
  const open = (list?: File, message?: string) =>
    setOpened(({ number }) => ({ number: number + 1, list, message, open: true }));

  useArrival(query.get(MESSAGE) ?? undefined, (message) => {
    setQuery(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete(MESSAGE);
        return after;
      },
      { replace: true },
    );
    open(undefined, message);
  });

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
            onClose={() => setOpened({ ...opened, open: false })}
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
