import type { ReactNode } from "react";
import { Dialog } from "./Dialog";
import styles from "./ImageViewer.module.css";
import { ZoomPicture } from "./ZoomPicture";

interface ImageViewerProps {
  open: boolean;
  onClose: () => void;
  name: string;
  image: string;
  /** The product's figures, usually `Facts`. */
  children?: ReactNode;
}

/** Popup with the large picture, which can be enlarged, of a product and its figures. */
export default function ImageViewer({ open, onClose, name, image, children }: ImageViewerProps) {
  return (
    <Dialog open={open} onClose={onClose} title={name} width={660} closesOnScrim>
      <div className={styles.columns}>
        <ZoomPicture name={name} image={image} />
        {children}
      </div>
    </Dialog>
  );
}
