/** One request, as services and policies see it. */
import type { Logger } from "pino";
import type { Viewer } from "./auth/viewer.js";

export interface RequestContext {
  readonly requestId: string;
  readonly viewer: Viewer;
  /** the client's address, for limits and moderation; never answered */
  readonly address: string;
  /** scheme and host that URLs in the answer begin with, without a trailing slash */
  readonly baseUrl: string;
  readonly log: Logger;
}
