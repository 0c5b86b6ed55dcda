/** The `code` of an error of the system, the database or a library; otherwise the empty string. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** Handles errors with one of these codes with a value; others are thrown again. */
export const ifCode =
  <T>(codes: readonly string[], value: T) =>
  (error: unknown): T => {
    if (codes.includes(codeOf(error))) return value;
    throw error;
  };

/** The codes of paths at which there is nothing. */
export const NOTHING_THERE = ["ENOENT", "ENOTDIR"];
