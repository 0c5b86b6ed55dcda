/** What resolvers get of an HTTP request, for either door. */
import type { Request, Response } from "express";
import type { BrowserSession, GraphQLContext } from "../../graphql/context.js";
import { createLoaders, type Loaders } from "../../graphql/loaders.js";
import type { Viewer } from "../runtime/auth/viewer.js";
import type { Board } from "../board.js";
import type { HeavyWork } from "../runtime/limits/heavy-lane.js";
import type { Logger } from "../runtime/telemetry/log.js";
import { heavyWorkOf } from "./backpressure.js";
import { logOf } from "./request-log.js";
import { requestIdOf } from "./request-record.js";
import { type Asker, sessionOf } from "./session.js";
import { callerOf, charge } from "./viewer.js";

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
  readonly requestId: string;
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly baseUrl: string;
  readonly log: Logger;
  readonly session: BrowserSession;
  readonly heavy: HeavyWork;

  constructor(
    readonly board: Board,
    request: Request,
    private readonly response: Response,
    private readonly asker: RequestAsker,
    isRest: boolean,
  ) {
    this.requestId = requestIdOf(request);
    ({ address: this.address, userAgent: this.userAgent } = callerOf(request));
    this.baseUrl = board.config.PUBLIC_URL ?? `${request.protocol}://${request.host}`;
    this.log = logOf(request, board);
    this.session = sessionOf(request, response, board, asker, isRest);
    this.heavy = heavyWorkOf(request);
  }

  get viewer(): Viewer {
    return this.asker.viewer;
  }

  get loaders(): Loaders {
    return this.asker.loaders;
  }

  charge(requests: number): Promise<void> {
    return charge(this.board, this.response, this, requests);
  }

  doNotStore(): void {
    this.response.set("Cache-Control", "no-store");
  }
}

/** @param isRest whether the request came by the REST interface, whose cookies are its own */
export const contextOf = (
  board: Board,
  request: Request,
  response: Response,
  viewer: Viewer,
  isRest: boolean,
): GraphQLContext => new HttpContext(board, request, response, new RequestAsker(board, viewer), isRest);
