import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import { useEffect, useRef } from "react";
import { buyerConfig } from "@/api/seller";
import { config } from "@/shared/config";
import { cx } from "@/shared/cx";
import { AlertHost } from "@/shared/ui/AlertHost";
import { Button, FileLink } from "@/shared/ui/Button";
import type { DialogState } from "@/shared/ui/Dialog";
import { useFocusBack } from "@/shared/ui/focus";
import { Loaded } from "@/shared/ui/Panels";
import type { OrderDetails } from "../queries";
import styles from "./PackingListView.module.css";
import { PackingSheet } from "./PackingSheet";

/** The packing list as a sheet over the page, as it prints; 'PDF Download' gives the same sheet as a file. */
export default function PackingListView(props: DialogState & { packed: OrderDetails }) {
  const { open, onClose, packed } = props;
  const download = useRef<HTMLAnchorElement>(null);
  const back = useFocusBack(open);
  const seller = useQuery(buyerConfig);
  useTitleOfPrint(open, packed.order.invoice_code);

  return (
    <Dialog.Root open={open} disablePointerDismissal onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Popup
          className={cx(
            styles.view,
            "fixed flex flex-col inset-0 z-(--z-dialog) bg-line",
            "focus:outline-none",
          )}
          initialFocus={download}
          finalFocus={back}
        >
          <AlertHost />
          <header className={styles.bar}>
            <p className="flex-1 font-bold whitespace-nowrap text-13 tabular-nums">
              {packed.order.invoice_code}
            </p>
            <Button onClick={onClose}>Cancel</Button>
            {packed.order.packing_list_pdf && (
              <FileLink
                ref={download}
                href={packed.order.packing_list_pdf}
                variant="primary"
                icon={<FileDown size={17} />}
              >
                PDF Download
              </FileLink>
            )}
          </header>
          <section
            // The sheet is drawn to the width that it has here.
            className={cx(
              styles.desk,
              "flex-1 min-h-0 overflow-auto overscroll-contain pt-24 pb-48 px-24",
              "focus-visible:-outline-offset-2 phone:pt-14 phone:pb-32 phone:px-14",
            )}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls and holds no control.
            tabIndex={0}
            aria-label="Packing list"
          >
            <Loaded query={seller} className="">
              {({ shipper }) => <PackingSheet packed={packed} shipper={shipper} />}
            </Loaded>
          </section>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** What the browser prints as the title and offers as the file's name, while the view is open. */
function useTitleOfPrint(open: boolean, invoiceCode: string): void {
  useEffect(() => {
    if (!open) return;
    const before = document.title;
    document.title = `Packing list ${invoiceCode} · ${config().title}`;
    return () => {
      document.title = before;
    };
  }, [open, invoiceCode]);
}
