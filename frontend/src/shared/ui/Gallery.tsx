import { ChevronLeft, ChevronRight } from "lucide-react";
import { type PointerEvent, useRef } from "react";
import { cx } from "@/shared/cx";
import { Button } from "./Button";
import { ProductImage } from "./ProductImage";
import { ZoomPicture } from "./ZoomPicture";

const SWIPE = 40; // px

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
        className={cx(
          "has-[[aria-pressed=true]]:[&>:not([aria-pressed])]:hidden!",
          "relative [touch-action:pan-y] has-[[aria-pressed=true]]:contents",
        )}
        onPointerDown={(event) => {
          const isZoomed = event.currentTarget.querySelector('[aria-pressed="true"]');
          began.current = isZoomed ? null : event;
        }}
        onPointerUp={swiped}
      >
        <ZoomPicture key={image} name={name} image={image} />
        <Button
          square
          size="small"
          className="absolute top-[calc(50%-16px)] left-8 rounded-[50%]!"
          aria-label="Previous picture"
          disabled={at === 0}
          onClick={() => onMove(at - 1)}
          icon={<ChevronLeft size={18} />}
        />
        <Button
          square
          size="small"
          className="absolute top-[calc(50%-16px)] right-8 rounded-[50%]!"
          aria-label="Next picture"
          disabled={at === images.length - 1}
          onClick={() => onMove(at + 1)}
          icon={<ChevronRight size={18} />}
        />
      </div>
      <ul className="flex gap-8 p-2 overflow-x-auto" aria-label="Pictures">
        {images.map((one, place) => (
          <li key={one}>
            <button
              type="button"
              className={cx(
                "aria-[current=true]:shadow-[0_0_0_2px_var(--accent-graphic)]",
                "block p-0 overflow-hidden border-0 rounded-[8px] outline-offset-1",
                "bg-transparent",
              )}
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
