import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { Button, type ButtonProps } from "./Button";
import type { MenuEntry } from "./MenuPopup";

interface MenuButtonProps extends Omit<ButtonProps, "onClick"> {
  entries: readonly MenuEntry[];
  /** Shown in place of the entries, such as a loading or an empty state. */
  placeholder?: ReactNode;
  /** Told when the menu opens, to load its entries. */
  onOpen?: () => void;
}

const MenuPopup = lazy(() => import("./MenuPopup"));

/** A button with a menu. Only the popup is loaded lazily, so that the button keeps the focus. */
export function MenuButton({ entries, placeholder, onOpen, ...button }: MenuButtonProps) {
  const [open, setOpen] = useState(false);
  const [used, setUsed] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button
        {...button}
        ref={anchor}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => {
          setUsed(true);
          setOpen(!open);
          if (!open) onOpen?.();
        }}
      />
      {used && (
        <Suspense fallback={null}>
          <MenuPopup
            anchor={anchor}
            open={open}
            onClose={() => setOpen(false)}
            entries={entries}
            placeholder={placeholder}
          />
        </Suspense>
      )}
    </>
  );
}
