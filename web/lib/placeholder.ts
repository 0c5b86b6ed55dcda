/** What is shown of a picture until it has come: made of its ThumbHash, base64. */
import { thumbHashToAverageRGBA, thumbHashToDataURL } from "thumbhash";

const bytesOf = (placeholder: string): Uint8Array => Uint8Array.from(atob(placeholder), (each) => each.charCodeAt(0));

/** Its mean colour, as CSS takes it. */
export function meanColour(placeholder: string): string {
  const { r, g, b } = thumbHashToAverageRGBA(bytesOf(placeholder));
  return `rgb(${[r, g, b].map((part) => Math.round(part * 255)).join(" ")})`;
}

/** The picture itself, blurred, as CSS takes it. */
export const blur = (placeholder: string): string => `url(${thumbHashToDataURL(bytesOf(placeholder))})`;
