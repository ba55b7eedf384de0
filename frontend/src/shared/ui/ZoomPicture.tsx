import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { cx } from "@/shared/cx";
import { ProductImage } from "./ProductImage";
import styles from "./ZoomPicture.module.css";

const STEP = 15;
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};
const within = (percent: number) => Math.min(100, Math.max(0, percent));

/**
 * The large picture of a product. A click, tap, Enter or Space enlarges it and makes it small again; what is enlarged
 * follows the mouse, is drawn by a finger, and moves by the arrow keys.
 */
export function ZoomPicture({ name, image }: { name: string; image: string }) {
  const [zoomed, setZoomed] = useState(false);
  // Which point of the picture stays where it is, in percent.
  const [place, setPlace] = useState({ x: 50, y: 50 });

  const follow = (event: PointerEvent<HTMLElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    if (event.pointerType === "mouse") {
      const [x, y] = [(event.clientX - left) / width, (event.clientY - top) / height];
      setPlace({ x: within(x * 100), y: within(y * 100) });
    } else {
      const { movementX, movementY } = event;
      setPlace(({ x, y }) => ({
        x: within(x - (movementX / width) * 100),
        y: within(y - (movementY / height) * 100),
      }));
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = zoomed ? MOVES[event.key] : undefined;
    if (!move) return;
    event.preventDefault();
    setPlace(({ x, y }) => ({ x: within(x + move[0]), y: within(y + move[1]) }));
  };

  if (!image) return <ProductImage image={image} side={300} className="rounded-2" />;
  return (
    <button
      type="button"
      className={cx(
        "block p-0 overflow-hidden border-0 w-300 max-w-full rounded-[10px] bg-transparent",
        "cursor-zoom-in",
        zoomed && styles.zoomed,
      )}
      aria-label={`Enlarge ${name}`}
      aria-pressed={zoomed}
      onClick={() => setZoomed(!zoomed)}
      onPointerMove={zoomed ? follow : undefined}
      onKeyDown={onKeyDown}
    >
      <span className={styles.moved} style={{ transformOrigin: `${place.x}% ${place.y}%` }}>
        <ProductImage image={image} side={zoomed ? 600 : 300} className="rounded-2" />
      </span>
    </button>
  );
}
