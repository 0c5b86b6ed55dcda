import { failure } from "../../src/errors.js";
import type { SignedIn } from "../../src/runtime/auth/viewer.js";
import type { GraphQLContext } from "../context.js";

/**
 * Signs the browser in that sends the request, in place of whom it was signed in as. What follows in the request, the payload
 * included, is done as the account's user.
 * @param account `passwordHash` is the one that was checked, or has just been made
 * @returns the session's CSRF token
 * @throws BoardError 403 when the account was closed or got another password meanwhile
 */
export async function beginSession(
  context: GraphQLContext,
  { id, passwordHash }: { id: number; passwordHash: string },
): Promise<string> {
  const { board, session } = context;
  const { authenticator, sessions } = board;
  const { token } = await sessions.create({ id, passwordHash }, context);
  await authenticator.signOut(context.viewer);
  const viewer = await authenticator.renew({ proof: "session", token }, context);
  if (!viewer) throw failure("authentication_failed");
  await authenticator.remember(viewer as SignedIn, context);
  return session.start({ viewer, token, passwordHash });
}
