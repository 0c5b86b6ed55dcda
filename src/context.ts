/** One request, as services and policies see it. */
import type { Logger } from "pino";
import type { Viewer } from "./runtime/auth/viewer.js";

export interface RequestContext {
  readonly requestId: string;
  readonly viewer: Viewer;
  /** the client's address, for limits and moderation; answered to nobody but its own user, of a session */
  readonly address: string;
  /** what the client calls itself */
  readonly userAgent?: string | undefined;
  /** scheme and host that URLs in the answer begin with, without a trailing slash */
  readonly baseUrl: string;
  readonly log: Logger;
}
