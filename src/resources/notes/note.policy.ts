/** Who may do what with notes: any member edits any note, unless its post's notes are locked (which is no matter of rights). */
import { member, type Rule } from "../shared/policy.js";

export const mayCreate: Rule<unknown> = member;
export const mayUpdate: Rule<unknown> = member;
export const mayDelete: Rule<unknown> = member;
export const mayRevert: Rule<unknown> = member;
