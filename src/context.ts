/** A request, as services and policies see it. */
import type { Logger } from "pino";
import type { Viewer } from "./runtime/auth/viewer.js";

export interface RequestContext {
  readonly requestId: string;
  readonly viewer: Viewer;
  /** the client's address, for limits and moderation; shown only to its own user, in their sessions */
  readonly address: string;
  readonly userAgent?: string | undefined;
  /** scheme and host of URLs in the response, without a trailing slash */
  readonly baseUrl: string;
  readonly log: Logger;
}
