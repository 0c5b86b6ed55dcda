/** Validation of a record's texts, and which of them a viewer may search. */
import { type Sql, sql } from "../../database/client.js";
import type { ValidationErrors } from "../../errors.js";
import { isBlank, isStorable, lengthOf } from "../../lib/text.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import { maySeeDeletedTexts } from "./privacy.policy.js";

/** Reports a text that is required but blank, can't be stored, or has more characters. */
export function checkText(
  problems: ValidationErrors,
  field: string,
  text: string,
  { most, isRequired }: { most: number; isRequired?: boolean },
): void {
  if (isRequired && isBlank(text)) problems.add(field, "blank");
  if (!isStorable(text)) problems.add(field, "invalid");
  if (lengthOf(text) > most) problems.add(field, "too_long", { limit: most });
}

/**
 * The conditions that a viewer who searches texts finds only those that they may read: not those of others' deleted records.
 * @param words what is searched for
 */
export const readableTexts = (viewer: Viewer, words: string | null | undefined): Sql[] =>
  !words?.trim() || maySeeDeletedTexts(viewer) ? [] : [sql`(NOT t.is_deleted OR t.creator_id = ${viewer.id}::int)`];
