import { type KeyboardEvent, type ReactNode, useState } from "react";
import { Dialog } from "./Dialog";
import { Gallery } from "./Gallery";

interface ImageViewerProps {
  open: boolean;
  onClose: () => void;
  name: string;
  images: readonly string[];
  /** The product's figures, usually `Facts`. */
  children?: ReactNode;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Popup with the large pictures, which can be enlarged, of a product and its figures. */
export default function ImageViewer({ open, onClose, name, images, children }: ImageViewerProps) {
  const [at, setAt] = useState(0);
  const move = (place: number) => setAt(Math.max(0, Math.min(images.length - 1, place)));
  const onKeyDown = (event: KeyboardEvent) => {
    const isTyped = event.target instanceof HTMLInputElement;
    if (!isTyped && !event.defaultPrevented) move(at + (STEPS[event.key] ?? 0));
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={name}
      width={660}
      closesOnScrim
      onKeyDown={onKeyDown}
    >
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
