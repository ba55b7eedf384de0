import type { Tone } from "@/shared/ui/Tag";
import type { Product } from "../queries";

const TONES: Readonly<Record<string, Tone>> = {
  "On sale": "ok",
  "Sold out": "bad",
  Discontinued: "warn",
};

/** Whether pieces of it may be wished for: it is sold out, and comes again. */
export function mayBeWished({ availability, selectable }: Product): boolean {
  return availability === "Sold out" && selectable !== 1;
}

/** Colour of an availability tag; the text is the server's, anything unknown reads "Contact us". */
export function availabilityTone(availability: string): Tone {
  return TONES[availability] ?? "info";
}
