import { ChevronLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { cx } from "@/shared/cx";
import { Button } from "./Button";
import { Dialog, type DialogState } from "./Dialog";
import { ProductImage } from "./ProductImage";

interface ImageViewerProps extends DialogState {
  name: string;
  images: readonly string[];
  /** The product's figures, usually `Facts`. */
  children?: ReactNode;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Popup with the large pictures, which can be enlarged, of a product and its figures. */
export default function ImageViewer({ name, images, children, ...dialog }: ImageViewerProps) {
  const [at, setAt] = useState(0);
  const move = (place: number) => setAt(Math.max(0, Math.min(images.length - 1, place)));
  const onKeyDown = (event: KeyboardEvent) => {
    const isTyped = event.target instanceof HTMLInputElement;
    if (!isTyped && !event.defaultPrevented) move(at + (STEPS[event.key] ?? 0));
  };
  return (
    <Dialog {...dialog} title={name} width={660} closesOnScrim onKeyDown={onKeyDown}>
      <div
        className="flex flex-wrap items-start justify-center gap-22 [&>*+*]:flex-[1_1_280px]
          [&>:is([aria-pressed=true],:has([aria-pressed=true]))+*]:basis-full!"
      >
        <Gallery name={name} images={images} at={at} onMove={move} />
        {children}
      </div>
    </Dialog>
  );
}

const SWIPE = 40; // px
const BESIDE = [
  { step: -1, label: "Previous picture", place: "left-8", Icon: ChevronLeft },
  { step: 1, label: "Next picture", place: "right-8", Icon: ChevronRight },
];

interface GalleryProps {
  name: string;
  images: readonly string[];
  at: number;
  onMove: (at: number) => void;
}

/** The pictures of a product, one of them large; a finger, the arrows and the small ones lead to the others. */
export function Gallery({ name, images, at, onMove }: GalleryProps) {
  const began = useRef<PointerEvent>(null);
  const swiped = (event: PointerEvent) => {
    const start = began.current;
    began.current = null;
    if (!start || start.pointerId !== event.pointerId || event.pointerType === "mouse") return;
    const [x, y] = [event.clientX - start.clientX, event.clientY - start.clientY];
    if (Math.abs(x) > Math.max(SWIPE, Math.abs(y))) onMove(at - Math.sign(x));
  };
  const image = images[at] ?? "";
  if (images.length < 2) return <ZoomPicture name={name} image={image} />;
  return (
    <div
      className="grid gap-8 w-300 max-w-full
        has-[[aria-pressed=true]]:w-full has-[[aria-pressed=true]]:justify-items-center"
    >
      <div
        className="has-[[aria-pressed=true]]:[&>:not([aria-pressed])]:hidden! relative
          [touch-action:pan-y] has-[[aria-pressed=true]]:contents"
        onPointerDown={(event) => {
          const isZoomed = event.currentTarget.querySelector('[aria-pressed="true"]');
          began.current = isZoomed ? null : event;
        }}
        onPointerUp={swiped}
      >
        <ZoomPicture key={image} name={name} image={image} />
        {BESIDE.map(({ step, label, place, Icon }) => (
          <Button
            key={step}
            square
            size="small"
            className={cx("absolute top-[calc(50%-16px)] rounded-[50%]!", place)}
            aria-label={label}
            disabled={images[at + step] === undefined}
            onClick={() => onMove(at + step)}
            icon={<Icon size={18} />}
          />
        ))}
      </div>
      <ul className="flex gap-8 p-2 overflow-x-auto" aria-label="Pictures">
        {images.map((one, place) => (
          <li key={one}>
            <button
              type="button"
              className="aria-[current=true]:shadow-[0_0_0_2px_var(--accent-graphic)] block p-0
                overflow-hidden border-0 rounded-[8px] outline-offset-1 bg-transparent"
              aria-label={`Picture ${place + 1} of ${images.length}`}
              aria-current={place === at}
              onClick={() => onMove(place)}
            >
              <ProductImage image={one} side={44} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

const STEP = 15;
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};
const within = (percent: number) => Math.min(100, Math.max(0, percent));

/** The large picture of a product. What a click or Enter enlarges follows the mouse, a finger and the arrows. */
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
        "block p-0 overflow-hidden border-0 rounded-[10px] bg-transparent",
        zoomed ? "w-[min(100%,60dvh)] cursor-zoom-out touch-none" : "w-300 cursor-zoom-in",
        "max-w-full",
      )}
      aria-label={`Enlarge ${name}`}
      aria-pressed={zoomed}
      onClick={() => setZoomed(!zoomed)}
      onPointerMove={zoomed ? follow : undefined}
      onKeyDown={onKeyDown}
    >
      <span
        className={cx("block [transition:scale_150ms]", zoomed && "scale-200")}
        style={{ transformOrigin: `${place.x}% ${place.y}%` }}
      >
        <ProductImage image={image} side={zoomed ? 600 : 300} className="rounded-2" />
      </span>
    </button>
  );
}
