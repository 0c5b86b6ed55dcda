import type { RequestHandler } from "express";

/** The page for browsers. */
export const serveExplorer = (): RequestHandler => (_request, _response, next) => next();
