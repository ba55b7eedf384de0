import { Menu } from "@base-ui/react/menu";
import type { ReactNode } from "react";
import { MenuPopup, type MenuPopupProps } from "./MenuPopup";
import styles from "./MenuPopup.module.css";

export interface MenuEntry {
  key: string;
  content: ReactNode;
  disabled?: boolean;
  onSelect: () => void;
}

interface EntryMenuProps extends Omit<MenuPopupProps, "children"> {
  entries: readonly MenuEntry[];
  /** Shown in place of the entries, such as a loading or an empty state. */
  placeholder?: ReactNode;
}

/** The popup of a `MenuButton`: each entry does something and closes it. */
export default function EntryMenu({ entries, placeholder, ...popup }: EntryMenuProps) {
  return (
    <MenuPopup {...popup}>
      {entries.length === 0 ? (
        <div className={styles.placeholder}>{placeholder}</div>
      ) : (
        entries.map(({ key, content, disabled, onSelect }) => (
          <Menu.Item key={key} className={styles.item} disabled={disabled} onClick={onSelect}>
            {content}
          </Menu.Item>
        ))
      )}
    </MenuPopup>
  );
}
