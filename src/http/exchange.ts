/** One request and its response: everything known about it, in one object that is passed through the steps of the pipeline. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Cookies, parse } from "cookie";
import { createLoaders, type Loaders } from "../../graphql/loaders.js";
import { extensionOf, type Format, formatOf } from "../../rest/adapter/envelope.js";
import type { Params } from "../../rest/adapter/params.js";
import type { Board } from "../board.js";
import { ANONYMOUS, type Viewer } from "../runtime/auth/viewer.js";
import type { HeavyWork } from "../runtime/limits/heavy-lane.js";
import { RequestScope } from "../database/request-scope.js";
import { type Logger, redactUrl } from "../runtime/telemetry/log.js";
import type { Caller, Credentials } from "../runtime/auth/credentials.js";
import { baseUrlOf, isSecureFor, type Proxies } from "./caller.js";
import type { MaybePromise } from "../lib/maybe-promise.js";
import type { Pieces } from "../lib/pieces.js";
import type { Body } from "./encoding.js";
import type { Route } from "../runtime/telemetry/metrics.js";
import type { Destination, Router } from "./router.js";
import { FIRST_HEADERS } from "./static-headers.js";

/** By name; those without a value are not sent. */
export type Headers = Record<string, string | string[]>;

/** A response; only `respond.ts` writes it. */
export interface Answer {
  status: number;
  /** override those of the exchange */
  headers: Headers;
  body: string | Pieces | Body | null;
}

/** Stands for a response that was already written, by streaming a file. */
export const STREAMED: Answer = { status: 200, headers: {}, body: null };

/** A step of the pipeline: responds itself, or calls the next steps. */
export type Step = (exchange: Exchange, next: () => MaybePromise<Answer>) => MaybePromise<Answer>;

export function compose(steps: readonly Step[]): (exchange: Exchange) => MaybePromise<Answer> {
  const from = (index: number, exchange: Exchange): MaybePromise<Answer> => {
    const step = steps[index];
    if (!step) throw new TypeError("the last step of a pipeline has to answer");
    return step(exchange, () => from(index + 1, exchange));
  };
  return (exchange) => from(0, exchange);
}

export class Exchange {
  /** the method after overrides by a POST */
  method: string;
  /** as in the request line, without the query */
  readonly path: string;
  /** the query string; null without one */
  readonly query: string | null;
  readonly board: Board;
  readonly destination: Destination;
  /** the `X-Request-Id` */
  readonly id: string;
  readonly address: string;
  readonly protocol: string;
  readonly host: string | undefined;
  /** its statements, and their limits */
  readonly scope = new RequestScope();
  /** milliseconds, by `performance.now()` */
  readonly startedAt = performance.now();
  /** headers of any response */
  readonly headers: Headers = { ...FIRST_HEADERS };
  /** request headers on which the response depends (`Vary`) */
  vary = "";
  /** for a REST request: its viewer, once it is counted */
  settled: MaybePromise<Viewer> | undefined;
  /** as sent, once they are read; null for none */
  credentials: Credentials | null = null;
  /** once known; signing in and out changes it */
  viewer: Viewer = ANONYMOUS;
  /** whether it counts as a request for suggestions */
  isSuggesting = false;
  /** for a REST request: query and body parameters, merged */
  params: Params = {};
  /** the route in log, metrics and traces, if it is not that of the destination: of a page */
  route: Route | undefined;
  /** its long work on the event loop, which waits for its turn */
  heavy: HeavyWork | undefined;
  /**
   * Counts a request that has arrived completely, unless it already counts with at least this weight: the number of ordinary
   * requests it counts as. @throws BoardError 503 over the limit
   */
  beginWork: (weight?: number) => Promise<void> | void = () => undefined;
  /** to be called when the response begins. @param unread bytes of its body, if they stay in memory until the client has read them */
  endWork: (unread?: number) => void = () => undefined;
  private chosenFormat: Format | undefined;
  private requestCookies: Cookies | undefined;
  private loaded: { for: Viewer; loaders: Loaders } | undefined;
  private requestLog: Logger | undefined;

  constructor(
    readonly request: IncomingMessage,
    /** for `respond.ts`, pages, and code that waits for its end */
    readonly response: ServerResponse,
    { board, proxies, router, id }: { board: Board; proxies: Proxies; router: Router; id: string },
  ) {
    const { method = "", url = "" } = request;
    const mark = url.indexOf("?");
    this.method = method;
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = mark < 0 ? null : url.slice(mark + 1);
    this.board = board;
    this.destination = router.find(this.path);
    this.id = id;
    this.address = proxies.clientIp(request);
    this.protocol = proxies.protocolOf(request);
    this.host = proxies.hostOf(request);
  }

  /** format of the response: by the extension of the path, else by `Accept`, on which the response then depends */
  get format(): Format {
    return (this.chosenFormat ??= this.destination.format ?? extensionOf(this.path) ?? this.negotiated());
  }

  private negotiated(): Format {
    this.vary = this.vary === "" ? "Accept" : `${this.vary}, Accept`;
    return formatOf(this.request.headers.accept);
  }

  /** where the request came from, for limits and the list of sessions */
  get caller(): Caller {
    return { address: this.address, userAgent: this.request.headers["user-agent"] };
  }

  /** scheme and host of URLs in the response */
  get baseUrl(): string {
    return baseUrlOf(this.board.config, this.protocol, this.host);
  }

  get isSecure(): boolean {
    return isSecureFor(this.board.config, this.protocol);
  }

  get cookies(): Cookies {
    return (this.requestCookies ??= parse(this.request.headers.cookie ?? ""));
  }

  get loaders(): Loaders {
    const { board, viewer } = this;
    if (this.loaded?.for !== viewer) this.loaded = { for: viewer, loaders: createLoaders(board, viewer) };
    return this.loaded.loaders;
  }

  /** The board's log, with the request on each line. */
  get log(): Logger {
    const { id, request, address } = this;
    return (this.requestLog ??= this.board.log.child({ req: describeRequest(id, request, address) }));
  }

  /** A header of the request as one text. */
  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }
}

/** The logged fields of a request; the address is the client's, also behind a proxy. */
export const describeRequest = (id: string, { method = "", url = "" }: IncomingMessage, address: string) => ({
  id,
  method,
  url: redactUrl(url),
  address,
});
