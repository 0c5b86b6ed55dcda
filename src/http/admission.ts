/**
 * Authenticates and counts a REST request before its body is processed. Header, query and cookies are checked
 * before a byte of the body is read. If they contain no credentials, the body may contain `login` with `api_key` or
 * `password_hash`: it is read only if the address has requests left, and the request is counted once its sender is known.
 */
import { type Params, parseBrackets } from "../../rest/adapter/params.js";
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
export function urlParams(exchange: Exchange): Params | Promise<never> {
  const { query } = exchange;
  if (query === null) return {};
  try {
    return parseBrackets(query);
  } catch (unreadable) {
    return admit(exchange, {}).then(() => {
      throw unreadable;
    });
  }
}

export class Admission {
  private settled: Promise<Viewer> | undefined;

  private constructor(
    private readonly exchange: Exchange,
    /** the parameters of the URL */
    readonly url: Params,
  ) {}

  /** Authenticates by header, query and cookies, unless the body may contain credentials. @throws BoardError 403, 421, 424 */
  static async byHead(exchange: Exchange): Promise<Admission> {
    const url = urlParams(exchange);
    const admission = new Admission(exchange, url instanceof Promise ? await url : url);
    const known = authenticate(exchange, admission.url);
    const viewer = known instanceof Promise ? await known : known;
    if (!isSignedIn(viewer) && hasParameters(exchange)) {
      await requireRequestsLeft(exchange);
      return admission;
    }
    admission.settled = admission.counted(viewer);
    await admission.settled;
    return admission;
  }

  /**
   * The viewer of the request, which is then counted.
   * @param params those of the query, and those of the body read so far; called at most once, if needed
   * @throws BoardError 403, 421
   */
  settle(params: Params): Promise<Viewer> {
    return (this.settled ??= Promise.resolve(authenticate(this.exchange, params)).then((viewer) =>
      this.counted(viewer),
    ));
  }

  /** A request authenticated by cookies alone must come from this site. By its original method: the body may override it. */
  private counted(viewer: Viewer): Promise<Viewer> {
    const { exchange } = this;
    const { method } = exchange.request;
    const counted = admitted(exchange, viewer);
    if (method === "GET" || method === "HEAD") return counted;
    return counted.then(() => {
      requireSameSite(exchange, viewer);
      return viewer;
    });
  }
}
