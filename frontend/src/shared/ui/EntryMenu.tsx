import { Menu } from "@base-ui/react/menu";
import { Fragment, type ReactNode } from "react";
import { MenuPopup, type MenuPopupProps } from "./MenuPopup";
import styles from "./MenuPopup.module.css";

export interface MenuEntry {
  key: string;
  content: ReactNode;
  disabled?: boolean;
  /** Begins a new part of the menu: a line over it, with this heading if there is one. */
  part?: string;
  onSelect?: () => void;
  /** A link to this file, in place of what it does. */
  href?: string;
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
        entries.map(({ key, content, disabled, part, onSelect, href }) => (
          <Fragment key={key}>
            {part !== undefined && (
              <div role="presentation" className={styles.part}>
                {part}
              </div>
            )}
            {href ? (
              <Menu.LinkItem className={styles.item} href={href} closeOnClick>
                {content}
              </Menu.LinkItem>
            ) : (
              <Menu.Item className={styles.item} disabled={disabled} onClick={onSelect}>
                {content}
              </Menu.Item>
            )}
          </Fragment>
        ))
      )}
    </MenuPopup>
  );
}
