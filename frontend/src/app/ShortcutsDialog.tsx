import { useState } from "react";
import { Checkbox } from "@/shared/ui/Checkbox";
import { Dialog } from "@/shared/ui/Dialog";
import styles from "./ShortcutsDialog.module.css";
import { singleKeys } from "./single-keys";

type Group = readonly [title: string, keys: readonly (readonly [label: string, keys: string])[]];

const COLUMNS: readonly (readonly Group[])[] = [
  [
    [
      "Everywhere",
      [
        ["Quick Search", "/"],
        ["Dash board", "g d"],
        ["Product order", "g o"],
        ["Order info", "g i"],
        ["This list", "?"],
      ],
    ],
    [
      "Lists",
      [
        ["Next, previous", "↓ ↑"],
        ["First, last", "Home End"],
        ["Leave, close", "Esc"],
      ],
    ],
  ],
  [
    [
      "Product order",
      [
        ["Search products", "s"],
        ["Brands", "b"],
        ["Basket", "k"],
        ["Select or Cancel", "Space"],
        ["Picture, quantity, Select", "← →"],
        ["Next quantity", "Enter"],
        ["Order", "Ctrl Enter"],
        ["Undo", "Ctrl Z"],
      ],
    ],
    [
      "Problems, proposals",
      [
        ["Next, previous", "n p"],
        ["Accept, Decline, Ask", "a d q"],
      ],
    ],
  ],
];

/** Every shortcut, and the switch of those that are a single key. */
export default function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [on, setOn] = useState(singleKeys.areOn);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Shortcuts"
      subline="Single keys work while no field has the focus, n and p in a quantity too."
      width={660}
      closesOnScrim
    >
      <div className={styles.columns}>
        {COLUMNS.map((groups) => (
          <div key={groups[0]?.[0]}>
            {groups.map(([title, keys]) => (
              <section key={title} aria-label={title}>
                <h3 className={styles.title}>{title}</h3>
                <dl>
                  {keys.map(([label, names]) => (
                    <div key={label} className={styles.row}>
                      <dt>{label}</dt>
                      <dd>
                        {names.split(" ").map((name) => (
                          <kbd key={name} className={styles.key}>
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
