/** Who may do what with wiki pages: any member edits any page, unless it is locked; Builders lock and delete. */
import { builder, member, type Rule } from "../shared/policy.js";

interface Lockable {
  isLocked: boolean;
}

export const mayCreate: Rule<unknown> = member;
export const mayEdit: Rule<unknown> = member;
export const mayLock: Rule<unknown> = builder;
export const mayDelete: Rule<unknown> = builder;

/** Whether the page's lock lets the viewer through. */
export const passesLock: Rule<Lockable> = (viewer, page) => !page.isLocked || builder(viewer, undefined);

/** Whether an edit would go through: the right to it, and no lock in the way. */
export const mayUpdate: Rule<Lockable> = (viewer, page) => mayEdit(viewer, page) && passesLock(viewer, page);
