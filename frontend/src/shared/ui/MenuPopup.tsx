import { Menu } from "@base-ui/react/menu";
import type { ReactNode, RefObject } from "react";
import styles from "./MenuPopup.module.css";

export interface MenuEntry {
  key: string;
  content: ReactNode;
  onSelect: () => void;
}

interface MenuPopupProps {
  anchor: RefObject<HTMLButtonElement | null>;
  open: boolean;
  onClose: () => void;
  entries: readonly MenuEntry[];
  placeholder?: ReactNode;
}

/** The popup of a `MenuButton`. */
export default function MenuPopup({ anchor, open, onClose, entries, placeholder }: MenuPopupProps) {
  return (
    <Menu.Root
      open={open}
      modal={false}
      onOpenChange={(next, { event }) => {
        // A press on the button is the button's own business: it would open the menu again.
        const onButton = event.target instanceof Node && anchor.current?.contains(event.target);
        if (!next && !(event.type !== "keydown" && onButton)) onClose();
      }}
    >
      <Menu.Portal>
        <Menu.Positioner
          anchor={anchor}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className={styles.positioner}
        >
          <Menu.Popup className={styles.popup} finalFocus={anchor}>
            {entries.length === 0 ? (
              <div className={styles.placeholder}>{placeholder}</div>
            ) : (
              entries.map((entry) => (
                <Menu.Item key={entry.key} className={styles.item} onClick={entry.onSelect}>
                  {entry.content}
                </Menu.Item>
              ))
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
