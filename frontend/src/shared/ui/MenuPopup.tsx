import { Menu } from "@base-ui/react/menu";
import { type ReactNode, type RefObject, useRef } from "react";
import { cx } from "@/shared/cx";
import { PHONE, useMedia } from "@/shared/use-media";

export interface MenuPopupProps {
  anchor: RefObject<HTMLButtonElement | null>;
  /** Where in the page the menu is put. */
  place: RefObject<HTMLElement | null>;
  open: boolean;
  onClose: () => void;
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
