/**
 * The front gate of every root field: who may call it at all. It is written into the schema's extensions, where a test
 * looks for it; what depends on the record is decided by the policies in `src/resources`.
 */
import type { GraphQLField } from "graphql";
import { type AuthCheckerFn, Authorized, Extensions } from "type-graphql";
import { Level, type LevelNumber, parseLevel } from "../../src/runtime/auth/levels.js";
import { gateOf } from "../../src/resources/permissions.js";
import { requireLevel } from "../../src/resources/shared/policy.js";
import type { Viewer } from "../../src/runtime/auth/viewer.js";
import type { GraphQLContext } from "../context.js";

/**
 * Puts the gate of a root field before it, which the table of permissions has under the field's name.
 * @param beforeLogin open also on a board with REQUIRE_LOGIN: what one needs to sign in, and to find out that one has to
 */
export const Gated =
  ({ beforeLogin = false } = {}): MethodDecorator =>
  (target, name, descriptor) => {
    const access = gateOf(String(name));
    const level = access === "public" ? null : parseLevel(access);
    Extensions({ access, ...(beforeLogin ? { beforeLogin } : {}) })(target, name, descriptor);
    if (level !== null) Authorized<number>(level)(target, name, descriptor);
  };

/** Whether a root field is open to visitors of a board with REQUIRE_LOGIN. */
export const isOpenBeforeLogin = (field: GraphQLField<unknown, unknown> | undefined): boolean =>
  field?.extensions.beforeLogin === true;

/** The gate of a root field, before it is resolved. @throws BoardError 403 */
export function requireAccess({ extensions }: { extensions: { access?: unknown } }, viewer: Viewer): void {
  if (extensions.access === "public") return;
  requireLevel(viewer, parseLevel(String(extensions.access)) ?? Level.Admin);
}

/** Throws the 403 of the table, so that type-graphql's own words are never seen. */
export const authChecker: AuthCheckerFn<GraphQLContext, LevelNumber> = ({ context }, [level]) => {
  requireLevel(context.viewer, level);
  return true;
};
