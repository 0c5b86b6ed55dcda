/** Who may do what with dmails: nobody but the owner of a copy, whatever the level. */
import { member, type Rule } from "../shared/policy.js";

interface Owned {
  ownerId: number;
}

const own: Rule<Owned> = (viewer, { ownerId }) => member(viewer, undefined) && viewer.id === ownerId;

export const mayCreate: Rule<unknown> = member;
export const maySee: Rule<Owned> = own;
export const mayUpdate: Rule<Owned> = own;
export const mayDelete: Rule<Owned> = own;
