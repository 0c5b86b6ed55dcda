/** Placeholders of a picture that is not loaded yet, from its ThumbHash in base64. */
import { thumbHashToAverageRGBA, thumbHashToDataURL } from "thumbhash";

const bytesOf = (placeholder: string): Uint8Array => Uint8Array.from(atob(placeholder), (each) => each.charCodeAt(0));

/** Its mean colour, as a CSS colour. */
export function meanColour(placeholder: string): string {
  const { r, g, b } = thumbHashToAverageRGBA(bytesOf(placeholder));
  return `rgb(${[r, g, b].map((part) => Math.round(part * 255)).join(" ")})`;
}

/** The blurred picture, as a CSS image. */
export const blur = (placeholder: string): string => `url(${thumbHashToDataURL(bytesOf(placeholder))})`;
