/** Whose account a request is about that may only be about the viewer's own. */
import { isSignedIn, type SignedIn, type Viewer } from "../../runtime/auth/viewer.js";
import type { Db } from "../../database/client.js";
import { failure } from "../../errors.js";
import { mayChange } from "./account.policy.js";
import { authorize } from "../shared/policy.js";

/**
 * The viewer as the user of an account.
 * @param userId the account that the request names; the viewer's own when absent
 * @throws BoardError 403 for visitors and for the account of somebody else, 404 for one that is not there
 */
export async function requireOwnAccount(db: Db, viewer: Viewer, userId?: number | null): Promise<SignedIn> {
  authorize(viewer, isSignedIn(viewer));
  const id = userId ?? viewer.id ?? 0;
  const isKnown = id === viewer.id || (await db.user.count({ where: { id } })) > 0;
  if (!isKnown) throw failure("not_found");
  authorize(viewer, mayChange(viewer, { id }));
  return viewer as SignedIn;
}
