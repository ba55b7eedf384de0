import { config } from "./config";

export type ImageSize = 100 | 300 | 1000;

/** Address of a product picture; `image` is the file name that the API sends. */
export function productImage(image: string, size: ImageSize): string {
  return `${config().image_host}/${size}/${encodeURIComponent(image)}`;
}
