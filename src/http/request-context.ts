/** The context of resolvers for an HTTP request, from REST and GraphQL alike. */
import type { BrowserSession, GraphQLContext } from "../../graphql/context.js";
import type { Loaders } from "../../graphql/loaders.js";
import type { Board } from "../board.js";
import type { Viewer } from "../runtime/auth/viewer.js";
import type { HeavyWork } from "../runtime/limits/heavy-lane.js";
import type { Logger } from "../runtime/telemetry/log.js";
import type { Exchange } from "./exchange.js";
import { CookieSession } from "./session.js";
import { count, countSuggestion } from "./admission.js";

/** A class, since Apollo copies the context's own properties: whatever may change has to be behind one of them. */
class HttpContext implements GraphQLContext {
  readonly board: Board;
  readonly requestId: string;
  readonly address: string;
  readonly baseUrl: string;
  readonly session: BrowserSession;
  readonly isPriced: boolean;

  constructor(
    private readonly exchange: Exchange,
    isRest: boolean,
  ) {
    this.board = exchange.board;
    this.requestId = exchange.id;
    this.address = exchange.address;
    this.baseUrl = exchange.baseUrl;
    this.session = new CookieSession(exchange, isRest);
    this.isPriced = !isRest;
  }

  get heavy(): HeavyWork | undefined {
    return this.exchange.heavy;
  }

  get userAgent(): string | undefined {
    return this.exchange.caller.userAgent;
  }

  get log(): Logger {
    return this.exchange.log;
  }

  get viewer(): Viewer {
    return this.exchange.viewer;
  }

  get loaders(): Loaders {
    return this.exchange.loaders;
  }

  async charge(requests: number): Promise<void> {
    if (requests === 0) await countSuggestion(this.exchange);
    if (requests <= 1) return;
    await count(this.exchange, this.viewer, requests - 1);
    await this.exchange.beginWork(requests);
  }

  doNotStore(): void {
    this.exchange.headers["Cache-Control"] = "no-store";
  }
}

/** @param isRest whether the request came by the REST interface, which has cookies of its own */
export function contextOf(exchange: Exchange, viewer: Viewer, isRest: boolean): GraphQLContext {
  exchange.viewer = viewer;
  return new HttpContext(exchange, isRest);
}
