/**
 * The front gate of every root field: who may call it at all. It is written into the schema's extensions, where a test
 * looks for it; what depends on the record is decided by the policies in `src/policies`.
 */
import { type AuthCheckerFn, Authorized, Extensions } from "type-graphql";
import { type LevelNumber, levelName } from "../../src/auth/levels.js";
import { requireLevel } from "../../src/policies/policy.js";
import type { GraphQLContext } from "../context.js";

/** Open to everybody, visitors too. */
export const Public = (): MethodDecorator & PropertyDecorator => Extensions({ access: "public" });

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

/** Throws the 403 of the table, so that type-graphql's own words are never seen. */
export const authChecker: AuthCheckerFn<GraphQLContext, number> = ({ context }, [level]) => {
  requireLevel(context.viewer, level);
  return true;
};
