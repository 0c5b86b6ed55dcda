/**
 * Everything for browsers, as an Express app within the pipeline: files, the reference, GraphiQL and the pages. Its handlers
 * respond like any step, and what none of them handles goes on to the next steps.
 */
import express, { type Request, type RequestHandler, type Response } from "express";
import type { Answer, Exchange, Step } from "./exchange.js";

/** Responds to an exchange; null if it is not for this handler. */
export type Handler = (exchange: Exchange) => Promise<Answer | null>;

/** What a request passes into the app (`response.locals`). */
interface Locals extends Record<string, unknown> {
  exchange: Exchange;
  answer: (answer: Answer) => void;
}

const handing =
  (handler: Handler): RequestHandler<object, unknown, unknown, object, Locals> =>
  async (_request, { locals: { exchange, answer } }, next) => {
    const made = await handler(exchange);
    if (made) answer(made);
    else next();
  };

/** The step of the app, with the handlers of paths. Only reads may be for browsers. */
export function site(handlers: readonly [path: RegExp, handler: Handler][]): Step {
  const app = express();
  app.disable("x-powered-by");
  for (const [path, handler] of handlers) app.get(path, handing(handler));
  return async (exchange, next) => {
    const { request, response, method } = exchange;
    if (method !== "GET" && method !== "HEAD") return next();
    const answer = await new Promise<Answer | null>((resolve, reject) => {
      Object.assign(response, { locals: { exchange, answer: resolve } satisfies Locals });
      app(request as Request, response as Response, (error: unknown) => {
        if (error === undefined || error === null) resolve(null);
        else reject(error);
      });
    });
    return answer ?? next();
  };
}
