import { type ReactNode, useRef } from "react";
import { Button, type ButtonProps } from "./Button";
import type { MenuPopupProps } from "./MenuPopup";
import { Part } from "./Part";
import styles from "./PopupButton.module.css";
import { usePopup } from "./popup";
import { Spinner } from "./Spinner";

interface PopupButtonProps extends Omit<ButtonProps, "onClick"> {
  /** Draws the menu: a lazy component around `MenuPopup`. */
  menu: (popup: Omit<MenuPopupProps, "children">) => ReactNode;
  /** Told when the menu opens, to load its entries. */
  onOpen?: () => void;
}

/** A button with a menu of its own making. Only the popup is loaded lazily, so that the button keeps the focus. */
export function PopupButton({ menu, onOpen, icon, ...button }: PopupButtonProps) {
  const popup = usePopup();
  const anchor = useRef<HTMLButtonElement>(null);
  const place = useRef<HTMLSpanElement>(null);
  return (
    <>
      <Button
        {...button}
        ref={anchor}
        icon={popup.fetching ? <Spinner /> : icon}
        aria-haspopup="menu"
        aria-expanded={popup.open}
        onClick={() => {
          if (popup.open) return popup.close();
          onOpen?.();
          popup.show(true);
        }}
      />
      <span ref={place} className={styles.place}>
        <Part>
          {popup.subject && menu({ anchor, place, open: popup.open, onClose: popup.close })}
        </Part>
      </span>
    </>
  );
}
