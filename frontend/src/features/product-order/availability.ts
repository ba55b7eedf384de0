import type { Tone } from "@/shared/ui/Tag";

const TONES: Readonly<Record<string, Tone>> = {
  "On sale": "ok",
  "Sold out": "bad",
  Discontinued: "warn",
};

/** Colour of an availability tag; the text is the server's, anything unknown reads "Contact us". */
export function availabilityTone(availability: string): Tone {
  return TONES[availability] ?? "info";
}
