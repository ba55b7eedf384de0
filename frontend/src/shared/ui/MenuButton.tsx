import { type ReactNode, useRef } from "react";
import { Button, type ButtonProps, Spinner } from "./Button";
import type { EntryMenuProps, MenuPopupProps } from "./EntryMenu";
import { lazyPopup, Part, usePopup } from "./popup";

const { Popup: EntryMenu, ahead } = lazyPopup(() => import("./EntryMenu"));

type MenuButtonProps = Omit<PopupButtonProps, "menu"> &
  Pick<EntryMenuProps, "entries" | "placeholder" | "isSheet">;

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
