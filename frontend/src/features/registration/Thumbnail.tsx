import { type ReactNode, useEffect, useRef, useState } from "react";
import styles from "./Thumbnail.module.css";

/** Sides of the drawing in pixels: twice what shows, for sharp screens. */
const SIDE = 96;

/**
 * A small picture of a chosen image; `children` for anything else. It is drawn on a canvas, because
 * the page's policy lets no image come from a blob: address.
 */
export function Thumbnail({ file, children }: { file: File | undefined; children: ReactNode }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState<File>();
  const image = file?.type.startsWith("image/") ? file : undefined;

  useEffect(() => {
    if (!image || typeof createImageBitmap !== "function") return;
    let current = true;
    createImageBitmap(image)
      .then((bitmap) => {
        const context = canvas.current?.getContext("2d");
        if (!current || !context) return;
        const scale = SIDE / Math.max(bitmap.width, bitmap.height);
        const [width, height] = [bitmap.width * scale, bitmap.height * scale];
        context.clearRect(0, 0, SIDE, SIDE);
        context.drawImage(bitmap, (SIDE - width) / 2, (SIDE - height) / 2, width, height);
        bitmap.close();
        setDrawn(image);
      })
      // No picture of what cannot be decoded: the server says what it is.
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [image]);

  const shows = image !== undefined && drawn === image;
  return (
    <>
      {image && (
        <canvas
          ref={canvas}
          width={SIDE}
          height={SIDE}
          className={styles.picture}
          hidden={!shows}
        />
      )}
      {!shows && children}
    </>
  );
}
