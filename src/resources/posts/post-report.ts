/** The reasons of flags, appeals and bans. */
import { type Sql, sql } from "../../database/client.js";
import type { ValidationErrors } from "../../errors.js";
import { lowerAsSql } from "../../lib/names.js";
import { isStorable } from "../../lib/text.js";
import { like } from "../../search/indexed.js";
import { NOTHING } from "../../search/listing.js";
import { likeAnywhere } from "../../search/pattern.js";
import { checkText } from "../shared/texts.js";

/** characters */
const REASON_MAX = 500;

/** A flag or an appeal to be made. */
export interface NewReport {
  postId: number;
  reason: string;
}

/** Validates a reason. @returns the reason as stored */
export function checkReason(text: string, problems: ValidationErrors): string {
  const reason = text.trim();
  checkText(problems, "reason", reason, { most: REASON_MAX, isRequired: true });
  return reason;
}

/** The condition that the reason contains the text, in any case; a text with `*` is a pattern for the whole reason. */
export function reasonMatches(text: string): Sql | null {
  if (text.trim() === "") return null;
  if (!isStorable(text)) return NOTHING;
  return like(sql`lower(t.reason)`, likeAnywhere(lowerAsSql(text.trim())));
}
