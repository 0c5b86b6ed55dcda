/**
 * Who sends a REST request and whether it is answered at all, settled before its body is acted on. Header, query and cookies
 * are looked at before a byte of the body is read. Where they name nobody, the body may hold `login` with `api_key` or
 * `password_hash`: it is read on only while the address has requests left, and the request is counted once its sender is known.
 */
import type { Request, Response } from "express";
import { type Params, queryParams } from "../../rest/adapter/params.js";
import { isSignedIn, type Viewer } from "../runtime/auth/viewer.js";
import type { Board } from "../board.js";
import { contentTypeOf, hasBody } from "./body.js";
import { requireSameSite } from "./session.js";
import { admit, admitted, authenticate, requireRequestsLeft } from "./viewer.js";

/** Types of bodies that hold parameters. */
const WITH_PARAMETERS = /^(?:|application\/x-www-form-urlencoded|multipart\/form-data|application\/json|.*\+json)$/;

export const hasParameters = (request: Request): boolean =>
  hasBody(request) && WITH_PARAMETERS.test(contentTypeOf(request));

/** The parameters of the URL. A request whose URL can't be read counts as well. @throws BoardError 403, 421, 424 */
export async function urlParams(board: Board, request: Request, response: Response): Promise<Params> {
  try {
    return queryParams(request);
  } catch (unreadable) {
    await admit(board, request, response, {});
    throw unreadable;
  }
}

export class Admission {
  private settled: Promise<Viewer> | undefined;

  constructor(
    private readonly board: Board,
    private readonly request: Request,
    private readonly response: Response,
  ) {}

  /** Settles it by header, query and cookies, unless the body may say more. @throws BoardError 403, 421 */
  async byHead(): Promise<void> {
    const { board, request, response } = this;
    const viewer = await authenticate(board, request, response, await urlParams(board, request, response));
    if (!isSignedIn(viewer) && hasParameters(request)) return requireRequestsLeft(board, request, response);
    this.settled = this.counted(viewer);
    await this.settled;
  }

  /**
   * The viewer of the request, which is counted by then.
   * @param params those of the query, and of as much of the body as was read; looked at once, and only if need be
   * @throws BoardError 403, 421
   */
  settle(params: Params): Promise<Viewer> {
    const { board, request, response } = this;
    return (this.settled ??= authenticate(board, request, response, params).then((viewer) => this.counted(viewer)));
  }

  /** What relies on cookies alone is a page's of this site. By the method that it was sent with: a body may say another one. */
  private async counted(viewer: Viewer): Promise<Viewer> {
    const { board, request, response } = this;
    await admitted(board, request, response, viewer);
    if (request.method !== "GET" && request.method !== "HEAD") requireSameSite(request, viewer, board);
    return viewer;
  }
}
