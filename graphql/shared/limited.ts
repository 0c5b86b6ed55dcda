/** Fields with an hourly limit of their own (`src/runtime/limits/actions.ts`), counted after the gate and before anything is read. */
import { Extensions, type MiddlewareFn, UseMiddleware } from "type-graphql";
import type { ActionName } from "../../src/runtime/limits/actions.js";
import type { GraphQLContext } from "../context.js";

const counting =
  (action: ActionName): MiddlewareFn<GraphQLContext> =>
  async ({ context: { board, viewer, address } }, next) => {
    await board.limiter.act(action, viewer, address);
    return next() as unknown;
  };

/** @throws BoardError 421 if the viewer's limit is used up */
export function Limited(action: ActionName): MethodDecorator {
  const decorators = [Extensions({ limited: action }), UseMiddleware(counting(action))];
  return (target, key, descriptor) => {
    for (const decorate of decorators) decorate(target, key, descriptor);
  };
}
