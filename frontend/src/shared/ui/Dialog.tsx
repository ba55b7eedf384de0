import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useRef } from "react";
import { cx } from "@/shared/cx";
import { useIsOnline } from "@/shared/online";
import { AlertHost } from "./AlertHost";
import { Button } from "./Button";
import styles from "./Dialog.module.css";
import { Form } from "./Field";
import { useFocusBack } from "./focus";

/** Whether a dialog is shown, and what closes it: `usePopup().dialog`. */
export interface DialogState {
  open: boolean;
  /** Escape, the X and, for viewers, a click beside the dialog. */
  onClose: () => void;
}

interface DialogProps extends DialogState {
  title: string;
  subline?: ReactNode;
  /** Secondary button first, then the primary one. */
  footer?: ReactNode;
  /** On a desktop, in px; a bottom sheet on a phone. */
  width?: keyof typeof WIDTHS;
  /** Viewers and notices close on a click beside them; forms never do. */
  closesOnScrim?: boolean;
  /** Makes the dialog a form; the primary button is then `type="submit"`. */
  onSubmit?: () => unknown;
  /** What has the focus first: by default the first field if it is in sight, else the primary button, else the X. */
  initialFocus?: RefObject<HTMLElement | null>;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
}

const WIDTHS = {
  440: "max-w-440",
  580: "max-w-580",
  600: "max-w-600",
  660: "max-w-660",
  900: "max-w-900",
};
const FIELDS = ["input", "select", "textarea"]
  .map((field) => `${field}:enabled:not([readonly], [type="hidden"], [type="radio"])`)
  .join();

const bottomOf = (element: Element | null) => element?.getBoundingClientRect().bottom ?? 0;

/** A modal dialog. Load it lazily with the popup that uses it; its button stays mounted. */
export function Dialog({
  open,
  onClose,
  title,
  subline,
  footer,
  width = 440,
  closesOnScrim = false,
  onSubmit,
  initialFocus,
  onKeyDown,
  children,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  const back = useFocusBack(open);

  const first = (openedWith: string): HTMLElement | null => {
    if (initialFocus) return initialFocus.current;
    const find = (selector: string) => popup.current?.querySelector<HTMLElement>(selector) ?? null;
    const primary = find("[data-dialog-footer] > :last-child");
    const field = find(FIELDS);
    const close = find("[data-dialog-close]");
    // A field further down would scroll what comes before it out of sight.
    const isInSight = field && bottomOf(field) <= bottomOf(find("[data-dialog-body]"));
    return (openedWith !== "touch" && isInSight ? field : primary) ?? close;
  };

  const content = (
    <>
      <header
        className={cx(
          styles.head,
          "flex items-start justify-between gap-12 pt-14 pb-12 pr-14 pl-23",
          "across:items-center across:py-2",
        )}
      >
        <div>
          <Base.Title className="pt-5 serif-20 tracking-serif across:p-0 across:text-18">
            {title}
          </Base.Title>
          {subline && (
            <Base.Description className="mt-3 text-ink-3 text-13">{subline}</Base.Description>
          )}
        </div>
        <Button
          variant="ghost"
          square
          aria-label="Close"
          data-dialog-close
          icon={<X size={18} />}
          onClick={onClose}
        />
      </header>
      <div
        className="relative min-h-0 overflow-auto pt-4 pb-20 px-23 overscroll-contain"
        data-dialog-body
      >
        {children}
      </div>
      {footer && (
        <footer className={styles.foot} data-dialog-footer>
          {footer}
        </footer>
      )}
    </>
  );

  return (
    <Base.Root
      open={open}
      disablePointerDismissal={!closesOnScrim}
      onOpenChange={(next) => next || onClose()}
    >
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Viewport
          className="fixed inset-0 z-(--z-dialog) grid place-items-center p-24
            phone:[place-items:end_stretch] phone:pt-24 phone:pb-0 phone:px-0 across:pt-8"
        >
          <Base.Popup
            ref={popup}
            className={cx(
              styles.popup,
              "flex w-full max-h-[calc(100dvh_-_48px)] overflow-hidden rounded-4 bg-surface",
              "shadow-dialog focus:outline-none",
              WIDTHS[width],
            )}
            initialFocus={first}
            finalFocus={back}
            onKeyDown={onKeyDown}
          >
            <AlertHost />
            {onSubmit ? (
              <Form noValidate className="flex flex-1 flex-col min-w-0" onSend={onSubmit}>
                {content}
              </Form>
            ) : (
              <div className="flex flex-1 flex-col min-w-0">{content}</div>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

interface FormButtonsProps {
  onCancel: () => void;
  busy: boolean;
  /** What the button says that sends the form. */
  children?: string;
}

/** The buttons of a form that needs the server. */
export function FormButtons({ onCancel, busy, children = "Save" }: FormButtonsProps) {
  const isOnline = useIsOnline();
  return (
    <>
      <Button onClick={onCancel}>Cancel</Button>
      <Button variant="primary" type="submit" busy={busy} disabled={!isOnline}>
        {children}
      </Button>
    </>
  );
}
