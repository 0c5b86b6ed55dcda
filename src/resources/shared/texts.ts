/** Validation of a record's texts. */
import type { ValidationErrors } from "../../errors.js";
import { isStorable, lengthOf } from "../../lib/text.js";

export interface TextRule {
  /** characters */
  most: number;
  isRequired?: boolean;
}

/** Reports a text that is required but blank, can't be stored, or is too long. */
export function checkText(
  problems: ValidationErrors,
  field: string,
  text: string,
  { most, isRequired }: TextRule,
): void {
  if (isRequired && text.trim() === "") problems.add(field, "blank");
  if (!isStorable(text)) problems.add(field, "invalid");
  if (lengthOf(text) > most) problems.add(field, "too_long", { limit: most });
}
