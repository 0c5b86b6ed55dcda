/** The context of resolvers for an HTTP request, from REST and GraphQL alike. */
import type { BrowserSession, GraphQLContext } from "../../graphql/context.js";
import { createLoaders, type Loaders } from "../../graphql/loaders.js";
import type { Board } from "../board.js";
import type { Viewer } from "../runtime/auth/viewer.js";
import type { HeavyWork } from "../runtime/limits/heavy-lane.js";
import type { Logger } from "../runtime/telemetry/log.js";
import type { Exchange } from "./exchange.js";
import { CookieSession } from "./session.js";
import { count, countSuggestion } from "./admission.js";

/** The viewer of a request, which signing in and out changes, and the data loaded for them. */
export class RequestViewer {
  private loaded: Loaders | undefined;
  private isSuggesting = false;

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

  /** Counts suggestions once, also if the operation is retried. @throws what the counting throws */
  async suggest(counting: () => Promise<void>): Promise<void> {
    if (this.isSuggesting) return;
    await counting();
    this.isSuggesting = true;
  }

  /** Later fields of the request run as this viewer. */
  setViewer(viewer: Viewer): void {
    this.current = viewer;
    this.loaded = undefined;
  }
}

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
    private readonly state: RequestViewer,
    isRest: boolean,
  ) {
    this.board = exchange.board;
    this.requestId = exchange.id;
    this.address = exchange.address;
    this.baseUrl = exchange.baseUrl;
    this.session = new CookieSession(exchange, state, isRest);
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
    return this.state.viewer;
  }

  get loaders(): Loaders {
    return this.state.loaders;
  }

  async charge(requests: number): Promise<void> {
    if (requests === 0) await this.state.suggest(() => countSuggestion(this.exchange, this.viewer));
    if (requests <= 1) return;
    await count(this.exchange, this.viewer, requests - 1);
    await this.exchange.beginWork(requests);
  }

  doNotStore(): void {
    this.exchange.headers["Cache-Control"] = "no-store";
  }
}

/** @param isRest whether the request came by the REST interface, which has cookies of its own */
export const contextOf = (exchange: Exchange, viewer: Viewer, isRest: boolean): GraphQLContext =>
  new HttpContext(exchange, new RequestViewer(exchange.board, viewer), isRest);
