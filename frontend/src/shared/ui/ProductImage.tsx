import { useState } from "react";
import { cx } from "@/shared/cx";
import { config } from "../config";

interface ProductImageProps {
  /** File name that the API sends; empty shows the glyph. */
  image: string;
  /** Side of the square tile in px. Above 100 and 300 a larger variant is loaded. */
  side: number;
  /** Desaturated: the product cannot be chosen. */
  dimmed?: boolean;
  className?: string | undefined;
}

/** Square product tile, decorative: the name stands beside it. Never a broken image. */
export function ProductImage({ image, side, dimmed = false, className }: ProductImageProps) {
  const [failed, setFailed] = useState<string>();
  const broken = !image || failed === image;
  // The largest size is there of pictures whose name says so.
  const large = side > 300 && image.endsWith(".1000.jpg") ? 1000 : 300;
  const size = side > 100 ? large : 100;
  return (
    <span
      // Pictures are made for a light ground.
      className={cx(
        "scheme-light grid flex-none place-items-center overflow-hidden rounded-2 bg-sunken",
        "max-w-full aspect-square [&_img]:w-full [&_img]:h-full [&_img]:object-contain",
        dimmed && "[&_img]:grayscale",
        className,
      )}
      style={{ width: side }}
    >
      {broken ? (
        <JarGlyph />
      ) : (
        <img
          src={`${config().image_host}/${size}/${encodeURIComponent(image)}`}
          width={side}
          height={side}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setFailed(image)}
        />
      )}
    </span>
  );
}

function JarGlyph() {
  return (
    <svg
      viewBox="0 0 24 24"
      className="w-[46%] fill-none stroke-control [stroke-linejoin:round] [stroke-width:1.4]"
      aria-hidden="true"
    >
      <path d="M6 7h12M7 4h10v3H7zM6 10.5C6 8.5 7 7 7 7h10s1 1.5 1 3.5V18a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2z" />
    </svg>
  );
}
