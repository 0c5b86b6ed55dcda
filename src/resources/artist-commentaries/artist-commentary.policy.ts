/** Who may do what with artists' commentaries: any member writes and reverts them. */
import { member, type Rule } from "../shared/policy.js";

export const mayUpdate: Rule<unknown> = member;
export const mayRevert: Rule<unknown> = member;
