/**
 * The front gate of every root field: who may call it at all. It is written into the schema's extensions, where a test
 * looks for it; what depends on the record is decided by the policies in `src/resources`.
 */
import type { GraphQLField } from "graphql";
import { type AuthCheckerFn, Authorized, Extensions } from "type-graphql";
import { gateOf } from "../../src/resources/permissions.js";
import { type Gate, requireLevel } from "../../src/resources/shared/policy.js";
import type { Viewer } from "../../src/runtime/auth/viewer.js";
import type { GraphQLContext } from "../context.js";

type Restricted = Exclude<Gate, "public">;

/**
 * Puts the gate of a root field before it, which the table of permissions has under the field's name.
 * @param beforeLogin open also on a board with REQUIRE_LOGIN: what one needs to sign in, and to find out that one has to
 */
export const Gated =
  ({ beforeLogin = false }: { beforeLogin?: boolean | undefined } = {}): MethodDecorator =>
  (target, name, descriptor) => {
    const access = gateOf(String(name));
    Extensions({ access, ...(beforeLogin ? { beforeLogin } : {}) })(target, name, descriptor);
    if (access !== "public") Authorized<Restricted>(access)(target, name, descriptor);
  };

/** Whether a root field is open to visitors of a board with REQUIRE_LOGIN. */
export const isOpenBeforeLogin = (field: GraphQLField<unknown, unknown> | undefined): boolean =>
  field?.extensions.beforeLogin === true;

/** The gate of a root field, before it is resolved. @throws BoardError 403 */
export function requireAccess({ extensions }: { extensions: { access?: unknown } }, viewer: Viewer): void {
  const access = (extensions.access ?? "admin") as Gate;
  if (access !== "public") requireLevel(viewer, access);
}

/** Throws the 403 of the table, so that type-graphql's own words are never seen. */
export const authChecker: AuthCheckerFn<GraphQLContext, Restricted> = ({ context }, [level]) => {
  requireLevel(context.viewer, level);
  return true;
};
