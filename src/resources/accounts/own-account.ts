/** Checks that a request about an account is about the viewer's own. */
import { isSignedIn, type SignedIn, type Viewer } from "../../runtime/auth/viewer.js";
import type { Db } from "../../database/client.js";
import { failure } from "../../errors.js";
import { mayChange } from "./account.policy.js";
import { authorize } from "../shared/policy.js";

/**
 * The viewer, if the account is theirs.
 * @param userId the account in the request; by default the viewer's
 * @throws BoardError 403 for visitors and for other accounts, 404 for unknown ones
 */
export async function requireOwnAccount(db: Db, viewer: Viewer, userId?: number | null): Promise<SignedIn> {
  authorize(viewer, isSignedIn(viewer));
  const id = userId ?? viewer.id ?? 0;
  const isKnown = id === viewer.id || (await db.user.count({ where: { id } })) > 0;
  if (!isKnown) throw failure("not_found");
  authorize(viewer, mayChange(viewer, { id }));
  return viewer as SignedIn;
}
