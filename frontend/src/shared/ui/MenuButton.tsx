import type { ReactNode } from "react";
import type { ButtonProps } from "./Button";
import type { MenuEntry } from "./EntryMenu";
import { PopupButton } from "./PopupButton";
import { lazyPopup } from "./popup";

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

/** A button with a menu of entries. */
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
