/** What all policies are made of: plain functions of the viewer (and a record) that answer whether something is allowed. */
import { isSignedIn, type SignedIn, type Viewer } from "../../runtime/auth/viewer.js";
import { Level, type LevelNumber } from "../../runtime/auth/levels.js";
import { failure } from "../../errors.js";

export type Rule<Record = void> = (viewer: Viewer, record: Record) => boolean;

/** Signed in, not banned, and of this level or above. */
export const atLeast =
  (level: LevelNumber): Rule<unknown> =>
  (viewer) =>
    isSignedIn(viewer) && !viewer.isBanned && viewer.level >= level;

export const member = atLeast(Level.Member);
export const gold = atLeast(Level.Gold);
export const builder = atLeast(Level.Builder);
export const janitor = atLeast(Level.Janitor);
export const moderator = atLeast(Level.Moderator);
export const admin = atLeast(Level.Admin);

/**
 * Goes on only when the answer of a policy was yes.
 * @throws BoardError 403, whose reason tells a visitor to log in and a banned user that they are
 */
export function authorize(viewer: Viewer, allowed: boolean): void {
  if (allowed) return;
  if (!isSignedIn(viewer)) throw failure("login_required");
  throw failure(viewer.isBanned ? "banned" : "access_denied");
}

/** The viewer as a signed-in user, banned or not. @throws BoardError 403 for a visitor */
export function requireAccount(viewer: Viewer): SignedIn {
  authorize(viewer, isSignedIn(viewer));
  return viewer as SignedIn;
}

/**
 * The viewer as a signed-in user of at least this level.
 * @throws BoardError 403
 */
export function requireLevel(viewer: Viewer, level: LevelNumber = Level.Member): SignedIn {
  authorize(viewer, atLeast(level)(viewer, undefined));
  return viewer as SignedIn;
}
