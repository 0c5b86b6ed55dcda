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

/** The decorators of such a field, which is a BoardError 421 if the viewer's limit is used up. */
export const limitedBy = (action: ActionName): MethodDecorator[] => [
  Extensions({ limited: action }),
  UseMiddleware(counting(action)),
];
