import { Menu } from "@base-ui/react/menu";
import { Fragment, type ReactNode, type RefObject, useRef } from "react";
import { cx } from "@/shared/cx";
import { PHONE, useMedia } from "@/shared/use-media";
import type { DialogState } from "./Dialog";

interface MenuEntry {
  key: string;
  content: ReactNode;
  disabled?: boolean;
  /** Begins a new part of the menu: a line over it, with this heading if there is one. */
  part?: string;
  onSelect?: () => void;
  /** A link to this file, in place of what it does. */
  href?: string;
}

export interface EntryMenuProps extends Omit<MenuPopupProps, "children"> {
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

export interface MenuPopupProps extends DialogState {
  anchor: RefObject<HTMLButtonElement | null>;
  /** Where in the page the menu is put. */
  place: RefObject<HTMLElement | null>;
  /** On a phone it comes from below, over the page, as dialogs do. */
  isSheet?: boolean | undefined;
  children: ReactNode;
}

/** In place of where the library puts a menu: it writes that into the element itself, over any style sheet. */
const FROM_BELOW = {
  position: "fixed",
  inset: "auto 0 0",
  transform: "none",
  width: "auto",
} as const;

/** The popup of a `PopupButton`. Load it lazily with the menu that it holds. */
export function MenuPopup({ anchor, place, open, onClose, isSheet, children }: MenuPopupProps) {
  /** The focus is somewhere else already, for instance after Tab. */
  const movedOn = useRef(false);
  const isPhone = useMedia(PHONE);
  const fromBelow = isSheet && isPhone;
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
      <Menu.Portal container={place}>
        {fromBelow && <Menu.Backdrop className="scrim" />}
        <Menu.Positioner
          anchor={anchor}
          // Placed in the page it would widen a phone's for a moment, and with it the bar below.
          positionMethod="fixed"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-(--z-dialog)"
          style={fromBelow ? FROM_BELOW : {}}
        >
          <Menu.Popup
            className={cx(
              "overflow-auto border border-line-2 bg-surface min-w-220 shadow-menu",
              "focus:outline-none",
              fromBelow
                ? "max-h-[calc(100dvh-24px)] p-10 pb-[calc(10px+env(safe-area-inset-bottom))] rounded-t-[20px]"
                : "max-w-[calc(100vw-16px)] max-h-(--available-height) p-6 rounded-3",
            )}
            finalFocus={() => !movedOn.current && anchor.current}
            onFocus={() => {
              movedOn.current = false;
            }}
            onBlur={({ relatedTarget, currentTarget }) => {
              movedOn.current = relatedTarget !== null && !currentTarget.contains(relatedTarget);
              if (movedOn.current && relatedTarget !== anchor.current) onClose();
            }}
          >
            {children}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
