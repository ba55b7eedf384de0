import { type ReactNode, useRef } from "react";
import { Button, type ButtonProps, Spinner } from "./Button";
import type { MenuEntry, MenuPopupProps } from "./EntryMenu";
import { lazyPopup, Part, usePopup } from "./popup";

interface MenuButtonProps extends Omit<ButtonProps, "onClick"> {
  entries: readonly MenuEntry[];
  /** Shown in place of the entries, such as a loading or an empty state. */
  placeholder?: ReactNode;
  /** On a phone the menu comes from below. */
  isSheet?: boolean;
  /** Told when the menu opens, to load its entries. */
  onOpen?: () => void;
}

const { Popup: EntryMenu, ahead } = lazyPopup(() => import("./EntryMenu"));

export function MenuButton({ entries, placeholder, isSheet, ...button }: MenuButtonProps) {
  return (
    <PopupButton
      {...button}
      {...ahead}
      menu={(popup) => (
        <EntryMenu {...popup} entries={entries} placeholder={placeholder} isSheet={isSheet} />
      )}
    />
  );
}

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
      <span
        // The menu opens here, so that Tab goes on after its button; what holds it is no item with a gap of its own. The
        // library's guards would send Tab there from the end of the page: nobody may meet them here.
        ref={place}
        className="contents [&_[data-base-ui-portal]]:contents [&_[data-base-ui-focus-guard]]:hidden"
      >
        <Part>{popup.subject && menu({ anchor, place, ...popup.dialog })}</Part>
      </span>
    </>
  );
}
