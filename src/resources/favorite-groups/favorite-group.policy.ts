/** Who may do what with favorite groups: they are their creators', whatever the level of others; how many one may have goes by level. */
import { Level } from "../../runtime/auth/levels.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import { member, type Rule } from "../shared/policy.js";

interface Owned {
  creatorId: number;
}

export const mayCreate: Rule<unknown> = member;

/** To edit, to revert and to delete it. */
export const mayUpdate: Rule<Owned> = (viewer, { creatorId }) => member(viewer, undefined) && viewer.id === creatorId;

/** To others, a private group is not there. */
export const maySee: Rule<Owned & { isPublic: boolean }> = (viewer, { isPublic, creatorId }) =>
  isPublic || viewer.id === creatorId;

/** How many groups a user may have. */
export const groupLimit = ({ level }: Pick<Viewer, "level">): number =>
  level >= Level.Platinum ? 10 : level >= Level.Gold ? 5 : 3;
