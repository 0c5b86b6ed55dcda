import { failure } from "../../src/errors.js";
import type { SignedIn } from "../../src/runtime/auth/viewer.js";
import type { GraphQLContext } from "../context.js";

/**
 * Signs the browser in, replacing its session. The rest of the request, including the payload,
 * runs as the account's user.
 * @param account `passwordHash` is the one that was checked, or a new one
 * @returns the session's CSRF token
 * @throws BoardError 403 if the account was closed or its password changed meanwhile
 */
export async function beginSession(
  context: GraphQLContext,
  { id, passwordHash }: { id: number; passwordHash: string },
): Promise<string> {
  const { board, session } = context;
  const { authenticator, knownAddresses, sessions } = board;
  const { token } = await sessions.create({ id, passwordHash }, context);
  await authenticator.signOut(context.viewer);
  const viewer = await authenticator.renew({ proof: "session", token }, context);
  if (!viewer) throw failure("authentication_failed");
  await knownAddresses.note(viewer as SignedIn, context.address);
  return session.start({ viewer, token, passwordHash });
}
