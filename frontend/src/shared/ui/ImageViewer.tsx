import type { ReactNode } from "react";
import { Dialog } from "./Dialog";
import styles from "./ImageViewer.module.css";
import { ProductImage } from "./ProductImage";

interface ImageViewerProps {
  open: boolean;
  onClose: () => void;
  name: string;
  image: string;
  /** The product's figures, usually `Facts`. */
  children?: ReactNode;
}

/** Popup with the large picture of a product and its figures. */
export default function ImageViewer({ open, onClose, name, image, children }: ImageViewerProps) {
  return (
    <Dialog open={open} onClose={onClose} title={name} width={660} closesOnScrim>
      <div className={styles.columns}>
        <ProductImage image={image} side={300} className={styles.picture} />
        {children}
      </div>
    </Dialog>
  );
}
