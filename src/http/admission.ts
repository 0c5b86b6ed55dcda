/**
 * Authenticates and counts a REST request before its body is processed. Header, query and cookies are checked
 * before a byte of the body is read. If they contain no credentials, the body may contain `login` with `api_key` or
 * `password_hash`: it is read only if the address has requests left, and the request is counted once its sender is known.
 */
import { type Params, parseBrackets } from "../../rest/adapter/params.js";
import { andThen, type MaybePromise } from "../lib/maybe-promise.js";
import { isSignedIn, type Viewer } from "../runtime/auth/viewer.js";
import { contentTypeOf, hasBody } from "./body.js";
import type { Exchange } from "./exchange.js";
import { requireSameSite } from "./session.js";
import { admit, admitted, authenticate, requireRequestsLeft } from "./viewer.js";

/** Types of bodies that contain parameters. */
const WITH_PARAMETERS = /^(?:|application\/x-www-form-urlencoded|multipart\/form-data|application\/json|.*\+json)$/;

export const hasParameters = ({ request }: Exchange): boolean =>
  hasBody(request) && WITH_PARAMETERS.test(contentTypeOf(request));

/** The parameters of the URL. A request with an invalid URL is counted as well. @throws BoardError 403, 421, 424 */
export function urlParams(exchange: Exchange): MaybePromise<Params> {
  const { query } = exchange;
  if (query === null) return {};
  try {
    return parseBrackets(query);
  } catch (unreadable) {
    return andThen(admit(exchange, {}), () => {
      throw unreadable;
    });
  }
}

export class Admission {
  private settled: MaybePromise<Viewer> | undefined;

  private constructor(
    private readonly exchange: Exchange,
    /** the parameters of the URL */
    readonly url: Params,
  ) {}

  /** Authenticates by header, query and cookies, unless the body may contain credentials. @throws BoardError 403, 421, 424 */
  static byHead(exchange: Exchange): MaybePromise<Admission> {
    return andThen(urlParams(exchange), (url) => {
      const admission = new Admission(exchange, url);
      return andThen(authenticate(exchange, url), (viewer) => admission.admitted(viewer));
    });
  }

  /** @param viewer the one that the head names */
  private admitted(viewer: Viewer): MaybePromise<Admission> {
    const { exchange } = this;
    if (!isSignedIn(viewer) && hasParameters(exchange)) return requireRequestsLeft(exchange).then(() => this);
    this.settled = this.counted(viewer);
    return andThen(this.settled, () => this);
  }

  /**
   * The viewer of the request, which is then counted.
   * @param params those of the query, and those of the body read so far; called at most once, if needed
   * @throws BoardError 403, 421
   */
  settle(params: Params): MaybePromise<Viewer> {
    return (this.settled ??= andThen(authenticate(this.exchange, params), (viewer) => this.counted(viewer)));
  }

  /** A request authenticated by cookies alone must come from this site. By its original method: the body may override it. */
  private counted(viewer: Viewer): MaybePromise<Viewer> {
    const { exchange } = this;
    const { method } = exchange.request;
    const counted = admitted(exchange, viewer);
    if (method === "GET" || method === "HEAD") return counted;
    return andThen(counted, () => {
      requireSameSite(exchange, viewer);
      return viewer;
    });
  }
}
