/** Authenticates a WebSocket by the credentials of the handshake and of the connection parameters. */
import type { IncomingMessage } from "node:http";
import { type Caller, findCredentials } from "../runtime/auth/credentials.js";
import { ANONYMOUS } from "../runtime/auth/viewer.js";
import type { Board } from "../board.js";
import { failure } from "../errors.js";
import { Cookies } from "./cookies.js";
import type { Listener } from "./listener.js";
import { sessionCookies } from "./session.js";
import { requireAllowance } from "./viewer.js";

/**
 * Credentials are the connection parameters (`authorization`, in any case, or `login` with `api_key`), the
 * header, or the cookies, which count only for a page of this site. Wrong ones count as an anonymous request, as over HTTP.
 * @param isSecure whether the client used HTTPS
 * @throws BoardError 403, 421
 */
export async function authenticateSocket(
  board: Board,
  request: IncomingMessage,
  isSecure: boolean,
  params: Record<string, unknown>,
  caller: Caller,
): Promise<Pick<Listener, "credentials" | "viewer">> {
  const authorization = authorizationOf(params) ?? request.headers.authorization;
  const cookies = isOwnPage(board, request) ? cookiesOf(board, request, isSecure) : {};
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

/** Browsers send the page's origin in every WebSocket handshake. */
function isOwnPage(board: Board, { headers }: IncomingMessage): boolean {
  const { origin } = headers;
  if (!origin || !URL.canParse(origin)) return false;
  return origin === board.config.PUBLIC_URL || new URL(origin).host === headers.host;
}

const cookiesOf = (board: Board, { headers }: IncomingMessage, isSecure: boolean) =>
  sessionCookies({ board, cookies: new Cookies(headers.cookie, board.secret), isSecure });
