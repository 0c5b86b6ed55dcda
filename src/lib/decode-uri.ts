/** Decodes percent-encoded text; null if its escapes are invalid. */
export function decodeUri(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
