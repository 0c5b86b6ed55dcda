/** What a text of a record may be. */
import type { Problems } from "../../errors.js";
import { isStorable, lengthOf } from "../../lib/text.js";

export interface TextRule {
  /** characters */
  most: number;
  isRequired?: boolean;
}

/** Reports a text that is blank but required, that can't be stored, or that is too long. */
export function checkText(problems: Problems, field: string, text: string, { most, isRequired }: TextRule): void {
  if (isRequired && text.trim() === "") problems.add(field, "blank");
  if (!isStorable(text)) problems.add(field, "invalid");
  if (lengthOf(text) > most) problems.add(field, "too_long", { limit: most });
}
