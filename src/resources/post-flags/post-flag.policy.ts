/** Who flags whom is a secret between the flagger and the Moderators. */
import { isSignedIn, type Viewer } from "../../runtime/auth/viewer.js";
import { janitor, moderator, type Rule } from "../shared/policy.js";

/** The flaggers of all posts: a listing by flagger tells others of nothing but their own flags. */
export const maySeeFlaggers: Rule<unknown> = moderator;

/** The flagger of one flag. */
export const maySeeFlagger = (viewer: Viewer, flag: { creatorId: number | null }): boolean =>
  maySeeFlaggers(viewer, undefined) || (isSignedIn(viewer) && flag.creatorId === viewer.id);

/** Those who look after the queue may fill it, too. */
export const mayFlagWithoutLimit: Rule<unknown> = janitor;
