import { type ChangeEvent, type DragEvent, useState } from "react";

export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads the address after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** What buyers may hand in beside an order or a sign-up. */
export const PAPERS = ".pdf,.jpg,.jpeg,.png,application/pdf,image/jpeg,image/png";
export const PAPERS_HINT = "PDF, JPEG or PNG, at most 5 MB";

/** For a chooser of one file, which may be chosen again after a refusal. */
export const whenChosen =
  (onFile: (file: File) => void) =>
  ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    target.value = "";
    if (file) onFile(file);
  };

/** For an element that takes a dropped file: its handlers, and whether something is held over it. */
export function useFileDrop(onFile: (file: File) => void) {
  const [over, setOver] = useState(false);
  const handlers = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer.files;
      if (file) onFile(file);
    },
  };
  return { over, handlers };
}

/** Entries of a menu for the forms in which a file is to be had. */
export const formatEntries = <Format extends string>(
  formats: readonly Format[],
  onChoose: (format: Format) => void,
) =>
  formats.map((format) => ({
    key: format,
    content: format.toUpperCase(),
    onSelect: () => onChoose(format),
  }));
