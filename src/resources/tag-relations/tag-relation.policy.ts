/** Who may do what with aliases and implications: members ask for them, Admins decide. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import { admin, builder, member, type Rule } from "../shared/policy.js";

interface Requested {
  creatorId: number;
  status: string;
}

export const mayRequest: Rule<unknown> = member;
export const mayDecide: Rule<unknown> = admin;

/** Admins delete any; a request that is still pending may also be taken back by its author or a Builder. */
export const mayDelete = (viewer: Viewer, relation: Requested): boolean => {
  if (admin(viewer, undefined)) return true;
  if (relation.status !== "pending") return false;
  return builder(viewer, undefined) || (member(viewer, undefined) && viewer.id === relation.creatorId);
};
