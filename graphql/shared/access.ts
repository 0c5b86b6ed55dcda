/**
 * The front gate of every root field: who may call it at all. It is written into the schema's extensions, where a test
 * looks for it; what depends on the record is decided by the policies in `src/resources`.
 */
import type { GraphQLField } from "graphql";
import { type AuthCheckerFn, Authorized, Extensions } from "type-graphql";
import { Level, type LevelNumber, levelName, parseLevel } from "../../src/runtime/auth/levels.js";
import { type Gate, requireLevel } from "../../src/resources/shared/policy.js";
import type { Viewer } from "../../src/runtime/auth/viewer.js";
import type { GraphQLContext } from "../context.js";

/**
 * Open to everybody, visitors too.
 * @param beforeLogin also on a board with REQUIRE_LOGIN: what one needs to sign in, and to find out that one has to
 */
export const Public = ({ beforeLogin = false } = {}): MethodDecorator & PropertyDecorator =>
  Extensions({ access: "public", ...(beforeLogin ? { beforeLogin } : {}) });

/** Whether a root field is open to visitors of a board with REQUIRE_LOGIN. */
export const isOpenBeforeLogin = (field: GraphQLField<unknown, unknown> | undefined): boolean =>
  field?.extensions.beforeLogin === true;

/** For signed-in users of this level and above who are not banned. */
export function RequireLevel(level: LevelNumber): MethodDecorator & PropertyDecorator {
  const decorators: MethodDecorator[] = [
    Authorized<number>(level),
    Extensions({ access: levelName(level).toLowerCase() }),
  ];
  return (target: object, key: string | symbol, descriptor?: PropertyDescriptor) => {
    for (const decorate of decorators) decorate(target, key, descriptor ?? {});
  };
}

/** What a gate of the policies says, as a decorator. */
export const Allow = ({ level }: Gate): MethodDecorator => (level === null ? Public() : RequireLevel(level));

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
