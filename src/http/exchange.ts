/** One request on its way to its answer: all that is known of it, in one object that the steps of the pipeline hand on. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Params } from "../../rest/adapter/params.js";
import type { Board } from "../board.js";
import { ANONYMOUS, type Viewer } from "../runtime/auth/viewer.js";
import type { HeavyWork } from "../runtime/limits/heavy-lane.js";
import type { Admission } from "./admission.js";
import { RequestScope } from "../database/request-scope.js";
import { type Logger, redactUrl } from "../runtime/telemetry/log.js";
import type { Caller } from "../runtime/auth/credentials.js";
import { isSecureFor, type Proxies } from "./caller.js";
import { Cookies } from "./cookies.js";
import type { Pieces } from "../lib/pieces.js";
import type { Body } from "./encoding.js";
import type { Route } from "../runtime/telemetry/requests.js";
import type { Destination, Router } from "./router.js";
import { CORS_HEADERS, SECURITY_HEADERS } from "./static-headers.js";

export type Headers = Record<string, string | string[]>;

/** What is answered; `respond.ts` alone writes it. */
export interface Answer {
  status: number;
  /** beside those of the exchange, over which they win */
  headers: Headers;
  /** null for none */
  body: string | Pieces | Body | null;
}

/** Stands for the answer where a file was streamed by what sends files. */
export const STREAMED: Answer = { status: 200, headers: {}, body: null };

/** A part of the pipeline: looks at the exchange, and has the steps after it answer or answers by itself. */
export type Step = (exchange: Exchange, next: () => Promise<Answer>) => Promise<Answer>;

/** The steps as one function, in their order. */
export function compose(steps: readonly Step[]): (exchange: Exchange) => Promise<Answer> {
  const from = (index: number, exchange: Exchange): Promise<Answer> => {
    const step = steps[index];
    if (!step) throw new TypeError("the last step of a pipeline has to answer");
    return step(exchange, () => from(index + 1, exchange));
  };
  return (exchange) => from(0, exchange);
}

/** What an exchange is made with. */
interface Parts {
  board: Board;
  proxies: Proxies;
  router: Router;
  id: string;
}

export class Exchange {
  /** what the request means: a POST may say that it is another one */
  method: string;
  /** as the request line has it, without the query */
  readonly path: string;
  /** what is behind the question mark; null without one */
  readonly query: string | null;
  readonly board: Board;
  readonly destination: Destination;
  /** as `X-Request-Id` has it */
  readonly id: string;
  readonly address: string;
  readonly protocol: string;
  readonly host: string | undefined;
  /** its statements, and what they have to keep to */
  readonly scope = new RequestScope();
  /** by `performance.now()` */
  readonly startedAt = performance.now();
  /** headers of the answer, whatever it is */
  readonly headers: Headers = { ...SECURITY_HEADERS, ...CORS_HEADERS };
  /** what the answer depends on beside the URL (`Vary`) */
  vary = "";
  /** of a REST request: who sends it, and whether it may */
  admission!: Admission;
  viewer: Viewer = ANONYMOUS;
  /** of a REST request: query and body parameters, merged */
  params: Params = {};
  /** its name in log, metrics and traces, where that is another than its destination's: of a page */
  route: Route | undefined;
  /** what of it holds the event loop for long, which waits for its turn */
  heavy: HeavyWork | undefined;
  /**
   * Begins the work on a request that has arrived whole, unless it has begun with as great a weight: how many ordinary requests it is
   * as large as. @throws BoardError 503 when there is too much of it
   */
  beginWork: (weight?: number) => Promise<void> | void = () => undefined;
  /** to be called when the answer begins */
  endWork: () => void = () => undefined;
  private requestCookies: Cookies | undefined;
  private requestLog: Logger | undefined;

  constructor(
    readonly request: IncomingMessage,
    /** for `respond.ts`, pages, and code that waits for its close */
    readonly response: ServerResponse,
    { board, proxies, router, id }: Parts,
  ) {
    const { method = "", url = "" } = request;
    const mark = url.indexOf("?");
    this.method = method;
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = mark < 0 ? null : url.slice(mark + 1);
    this.board = board;
    this.destination = router.find(this.path);
    this.id = id;
    this.address = proxies.addressOf(request);
    this.protocol = proxies.protocolOf(request);
    this.host = proxies.hostOf(request);
  }

  /** who sends it */
  get caller(): Caller {
    return { address: this.address, userAgent: this.request.headers["user-agent"] };
  }

  /** scheme and host that URLs in the answer begin with */
  get baseUrl(): string {
    return this.board.config.PUBLIC_URL ?? `${this.protocol}://${this.host}`;
  }

  get isSecure(): boolean {
    return isSecureFor(this.board.config, this.protocol);
  }

  get cookies(): Cookies {
    return (this.requestCookies ??= new Cookies(this.request.headers.cookie, this.board.secret));
  }

  /** The board's log, whose lines have the request on them. */
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

/** What is logged of a request; the address is its caller's, also behind a proxy. */
export const describeRequest = (id: string, { method = "", url = "" }: IncomingMessage, address: string) => ({
  id,
  method,
  url: redactUrl(url),
  address,
});
