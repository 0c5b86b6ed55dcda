/** The reasons of flags, appeals and bans. */
import type { ValidationErrors } from "../../errors.js";
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
