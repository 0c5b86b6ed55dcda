/** Who may do what with pools: any member makes and edits them, Janitors delete them. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import { builder, janitor, member, type Rule } from "../shared/policy.js";

interface Counted {
  /** posts in the pool */
  postCount: number;
}

/** The category of a pool of more posts than this is changed by Builders only. */
const SMALL_POOL_POSTS = 100;

export const mayCreate: Rule<unknown> = member;
export const mayUpdate: Rule<unknown> = member;
export const mayRevert: Rule<unknown> = member;

/** Deleting and undeleting. */
export const mayDelete: Rule<unknown> = janitor;

/** Deleted pools are among the others for Janitors; the rest asks for them. */
export const mayListDeleted: Rule = janitor;

export const mayChangeCategory = (viewer: Viewer, pool: Counted): boolean =>
  builder(viewer, undefined) || (member(viewer, undefined) && pool.postCount <= SMALL_POOL_POSTS);
