/** The `code` of an error of the system, the database or a library; otherwise the empty string. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

interface Caused {
  message?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown };
}

/** Errors within one another that are looked at. */
const MOST_CAUSES = 5;

/** An error and those within it; the driver's is the cause of Prisma's `meta.driverAdapterError`. */
function causesOf(error: unknown): Caused[] {
  const found: Caused[] = [];
  for (let each = error; typeof each === "object" && each !== null && found.length < MOST_CAUSES;) {
    const { cause, meta } = each as Caused;
    found.push(each);
    each = cause ?? meta?.driverAdapterError;
  }
  return found;
}

/** The names of codes: `kind` and `originalCode` are those of Prisma's adapter. */
const CODES = ["code", "kind", "originalCode"];

/** Whether an error, or one within it, has a code of this form. Not their texts, which may quote what users wrote. */
export const hasCode = (error: unknown, form: RegExp): boolean =>
  causesOf(error).some((each) => CODES.some((name) => form.test(String((each as Record<string, unknown>)[name]))));

/** Whether the text of an error, or of one within it, is of this form: for errors of libraries that have no code. */
export const hasMessage = (error: unknown, form: RegExp): boolean =>
  causesOf(error).some(({ message }) => form.test(String(message)));

/** Handles errors with one of these codes with a value; others are thrown again. */
export const ifCode =
  <T>(codes: readonly string[], value: T) =>
  (error: unknown): T => {
    if (codes.includes(codeOf(error))) return value;
    throw error;
  };

/** The codes of paths at which there is nothing. */
export const NOTHING_THERE = ["ENOENT", "ENOTDIR"];
