/** What resolvers get of an HTTP request, from REST and GraphQL alike. */
import type { BrowserSession, GraphQLContext } from "../../graphql/context.js";
import { createLoaders, type Loaders } from "../../graphql/loaders.js";
import type { Board } from "../board.js";
import type { Viewer } from "../runtime/auth/viewer.js";
import type { HeavyWork } from "../runtime/limits/heavy-lane.js";
import type { Logger } from "../runtime/telemetry/log.js";
import type { Exchange } from "./exchange.js";
import { type Asker, sessionOf } from "./session.js";
import { count } from "./viewer.js";

/** Who sends a request, which signing in and out changes, and what was loaded for them. */
class RequestAsker implements Asker {
  private loaded: Loaders | undefined;

  constructor(
    private readonly board: Board,
    private current: Viewer,
  ) {}

  get viewer(): Viewer {
    return this.current;
  }

  get loaders(): Loaders {
    return (this.loaded ??= createLoaders(this.board, this.current));
  }

  become(viewer: Viewer): void {
    this.current = viewer;
    this.loaded = undefined;
  }
}

/** A class, since Apollo works with a copy of the context's own properties: what may change has to be behind one of them. */
class HttpContext implements GraphQLContext {
  readonly board: Board;
  readonly requestId: string;
  readonly address: string;
  readonly baseUrl: string;
  readonly session: BrowserSession;

  constructor(
    private readonly exchange: Exchange,
    private readonly asker: RequestAsker,
    isRest: boolean,
  ) {
    this.board = exchange.board;
    this.requestId = exchange.id;
    this.address = exchange.address;
    this.baseUrl = exchange.baseUrl;
    this.session = sessionOf(exchange, asker, isRest);
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
    return this.asker.viewer;
  }

  get loaders(): Loaders {
    return this.asker.loaders;
  }

  async charge(requests: number): Promise<void> {
    if (requests <= 0) return;
    await count(this.exchange, this.viewer, requests);
    await this.exchange.beginWork(1 + requests);
  }

  doNotStore(): void {
    this.exchange.headers["Cache-Control"] = "no-store";
  }
}

/** @param isRest whether the request came by the REST interface, whose cookies are its own */
export const contextOf = (exchange: Exchange, viewer: Viewer, isRest: boolean): GraphQLContext =>
  new HttpContext(exchange, new RequestAsker(exchange.board, viewer), isRest);
