import { useState } from "react";
import { Dialog, type DialogState } from "@/shared/ui/Dialog";
import { Checkbox } from "@/shared/ui/Field";
import { singleKeys } from "./single-keys";

/** What keys do, by the heading of their group, in two columns. */
const COLUMNS: readonly Readonly<Record<string, Readonly<Record<string, string>>>>[] = [
  {
    Everywhere: {
      "Quick Search": "/",
      "Dash board": "g d",
      "Product order": "g o",
      "Order info": "g i",
      "This list": "?",
    },
    Lists: {
      "Next, previous": "↓ ↑",
      "First, last": "Home End",
      "Leave, close": "Esc",
    },
  },
  {
    "Product order": {
      "Search products": "s",
      Brands: "b",
      Basket: "k",
      "Select or Cancel": "Space",
      "Picture, quantity, Select": "← →",
      "Next quantity": "Enter",
      Order: "Ctrl Enter",
      Undo: "Ctrl Z",
    },
    "Problems, proposals": {
      "Next, previous": "n p",
      "Accept, Decline, Ask": "a d q",
    },
  },
];

/** Every shortcut, and the switch of those that are a single key. */
export default function ShortcutsDialog(dialog: DialogState) {
  const [on, setOn] = useState(singleKeys.areOn);
  return (
    <Dialog
      {...dialog}
      title="Shortcuts"
      subline="Single keys work while no field has the focus, n and p in a quantity too."
      width={660}
      closesOnScrim
    >
      <div className="grid grid-cols-[1fr_1fr] gap-x-36 mb-16 phone:grid-cols-[1fr]">
        {COLUMNS.map((groups) => (
          <div key={Object.keys(groups)[0]}>
            {Object.entries(groups).map(([title, keys]) => (
              <section key={title} aria-label={title}>
                <h3 className="text-13 font-bold mt-14 mb-2">{title}</h3>
                <dl className="divided">
                  {Object.entries(keys).map(([label, names]) => (
                    <div
                      key={label}
                      className="flex items-center justify-between text-ink-2 min-h-35 [&_dd]:flex
                        [&_dd]:gap-6"
                    >
                      <dt>{label}</dt>
                      <dd>
                        {names.split(" ").map((name) => (
                          <kbd
                            key={name}
                            className="border border-line-2 bg-surface-2 text-ink text-center
                              text-12 font-bold min-w-24 py-2 px-7 rounded-[6px]
                              [font-family:inherit]"
                          >
                            {name}
                          </kbd>
                        ))}
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
        ))}
      </div>
      <Checkbox
        checked={on}
        onChange={(event) => {
          singleKeys.turn(event.target.checked);
          setOn(event.target.checked);
        }}
      >
        Single-key shortcuts
      </Checkbox>
    </Dialog>
  );
}
