/** Authenticates a WebSocket by the credentials of the handshake and of the connection parameters. */
import { type Caller, findCredentials } from "../runtime/auth/credentials.js";
import { ANONYMOUS } from "../runtime/auth/viewer.js";
import type { Board } from "../board.js";
import { failure } from "../errors.js";
import { Cookies } from "./cookies.js";
import type { Exchange } from "./exchange.js";
import type { Listener } from "./listener.js";
import { isOwnOrigin, sessionCookies } from "./session.js";
import { requireAllowance } from "./viewer.js";

/** What a handshake is, apart from its parameters. */
type Handshake = Pick<Exchange, "request" | "isSecure" | "host">;

/**
 * Credentials are the connection parameters (`authorization`, in any case, or `login` with `api_key`), the
 * header, or the cookies, which count only for a page of this site. Wrong ones count as an anonymous request, as over HTTP.
 * @throws BoardError 403, 421
 */
export async function authenticateSocket(
  board: Board,
  handshake: Handshake,
  params: Record<string, unknown>,
  caller: Caller,
): Promise<Pick<Listener, "credentials" | "viewer">> {
  const authorization = authorizationOf(params) ?? handshake.request.headers.authorization;
  const cookies = isOwnOrigin({ board, ...handshake }) ? cookiesOf(board, handshake) : {};
  const credentials = findCredentials({ authorization, params, cookies });
  const viewer = await board.authenticator.authenticate(credentials, caller).catch(async (error: unknown) => {
    await board.limiter.request(ANONYMOUS, caller.address);
    throw error;
  });
  requireAllowance(await board.limiter.request(viewer, caller.address));
  if (board.config.REQUIRE_LOGIN && viewer.id === null) throw failure("login_required");
  return { viewer, credentials: viewer.id === null ? null : credentials };
}

/** Header names are case-insensitive, and clients write the parameter like the header. */
function authorizationOf(params: Record<string, unknown>): string | undefined {
  const [, value] = Object.entries(params).find(([name]) => name.toLowerCase() === "authorization") ?? [];
  return typeof value === "string" ? value : undefined;
}

const cookiesOf = (board: Board, { request, isSecure }: Handshake) =>
  sessionCookies({ board, cookies: new Cookies(request.headers.cookie, board.secret), isSecure });
