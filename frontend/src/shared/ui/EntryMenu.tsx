import { Menu } from "@base-ui/react/menu";
import { Fragment, type ReactNode } from "react";
import { cx } from "@/shared/cx";
import { MenuPopup, type MenuPopupProps } from "./MenuPopup";

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

const ITEM = cx(
  "block rounded-1 no-underline cursor-pointer py-8 px-10 text-inherit",
  "data-highlighted:bg-accent-soft data-highlighted:outline-none data-disabled:text-ink-3",
  "data-disabled:cursor-default forced-colors:data-highlighted:[outline:2px_solid_Highlight]",
);

/** The popup of a `MenuButton`: each entry does something and closes it. */
export default function EntryMenu({ entries, placeholder, ...popup }: EntryMenuProps) {
  return (
    <MenuPopup {...popup}>
      {entries.length === 0 ? (
        <div className="py-12 px-10 text-ink-3">{placeholder}</div>
      ) : (
        entries.map(({ key, content, disabled, part, onSelect, href }) => (
          <Fragment key={key}>
            {part !== undefined && (
              <div
                role="presentation"
                className="border-t border-line text-ink-3 font-medium text-13 mt-5 mb-3 mx-10 pt-8
                  first:pt-0 first:border-t-0 empty:pt-2"
              >
                {part}
              </div>
            )}
            {href ? (
              <Menu.LinkItem className={ITEM} href={href} closeOnClick>
                {content}
              </Menu.LinkItem>
            ) : (
              <Menu.Item className={ITEM} disabled={disabled} onClick={onSelect}>
                {content}
              </Menu.Item>
            )}
          </Fragment>
        ))
      )}
    </MenuPopup>
  );
}
