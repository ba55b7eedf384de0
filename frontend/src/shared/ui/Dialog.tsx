import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useRef } from "react";
import { cx } from "@/shared/cx";
import { AlertHost } from "./AlertHost";
import { Button } from "./Button";
import styles from "./Dialog.module.css";
import { focusBack } from "./focus";

interface DialogProps {
  open: boolean;
  /** Escape, the X and, for viewers, a click beside the dialog. */
  onClose: () => void;
  title: string;
  subline?: ReactNode;
  /** Secondary button first, then the primary one. */
  footer?: ReactNode;
  /** 440, 580, 600, 660 or 900 px on a desktop; a bottom sheet on a phone. */
  width?: 440 | 580 | 600 | 660 | 900;
  /** Viewers and notices close on a click beside them; forms never do. */
  closesOnScrim?: boolean;
  /** Makes the dialog a form; the primary button is then `type="submit"`. */
  onSubmit?: () => void;
  /** What has the focus first: by default the first field if it is in sight, else the primary button, else the X. */
  initialFocus?: RefObject<HTMLElement | null>;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
}

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
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  // Kept after the dialog closes: that is when the focus goes back to it.
  if (open && !wasOpen.current) opener.current = document.activeElement;
  wasOpen.current = open;

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
      <header className={styles.head}>
        <div>
          <Base.Title className={styles.title}>{title}</Base.Title>
          {subline && <Base.Description className={styles.subline}>{subline}</Base.Description>}
        </div>
        <Button
          variant="ghost"
          square
          aria-label="Close"
          data-dialog-close
          icon={<X size={18} strokeWidth={1.8} aria-hidden />}
          onClick={onClose}
        />
      </header>
      <div className={styles.body} data-dialog-body>
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
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup
            ref={popup}
            className={cx(styles.popup, styles[`w${width}`])}
            initialFocus={first}
            finalFocus={() => focusBack(opener.current)}
            onKeyDown={onKeyDown}
          >
            <AlertHost />
            {onSubmit ? (
              <form
                noValidate
                className={styles.content}
                onSubmit={(event) => {
                  event.preventDefault();
                  onSubmit();
                }}
              >
                {content}
              </form>
            ) : (
              <div className={styles.content}>{content}</div>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
