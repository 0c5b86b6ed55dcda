/** A request by Express' rules (`trust proxy`), where no middleware of the app has seen it. */
import type { IncomingMessage } from "node:http";
import type { Express, Request } from "express";

/** A view of a request that leaves the request as it is: to change its prototype costs more than all that is read. */
export const viewOf = (app: Express, { headers, socket }: IncomingMessage): Request =>
  Object.assign(Object.create(app.request) as Request, { headers, socket });
