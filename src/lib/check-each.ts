import { BoardError, ValidationErrors } from "../errors.js";

/** Maximum number of reported values; nobody reads hundreds. */
const MOST_REPORTED = 10;
/** UTF-16 units of a value that are repeated. */
const SHOWN = 50;

/** The beginning of a value, with a placeholder for each character that is invisible or invalid in XML. */
function shown(value: string): string {
  const start = value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value;
  return start.toWellFormed().replace(/[\p{Cc}\p{Cf}\uFFFE\uFFFF]/gu, "\uFFFD");
}

/**
 * Validates each of many values of one field; the messages name the value that they are about.
 * @param check reports the problems of one value, for any field
 */
export function checkEach(
  problems: ValidationErrors,
  field: string,
  values: Iterable<string>,
  check: (value: string, own: ValidationErrors) => void,
): void {
  for (const value of values) {
    const own = new ValidationErrors();
    check(value, own);
    for (const problem of Object.values(own.fields).flat()) {
      problems.add(field, "one_of_many", { value: shown(value), problem });
    }
    if ((problems.fields[field]?.length ?? 0) >= MOST_REPORTED) return;
  }
}

/** To catch the errors of a write with: throws what is wrong with a record as an error of the value that names it, and all other errors as they are. */
export const aboutValue =
  (field: string, value: string) =>
  (error: unknown): never => {
    if (!(error instanceof BoardError) || error.key !== "invalid_record") throw error;
    const problems = new ValidationErrors();
    for (const problem of Object.values(error.fields ?? {}).flat())
      problems.add(field, "one_of_many", { value: shown(value), problem });
    throw problems.toError();
  };
