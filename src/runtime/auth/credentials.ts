/** The credentials of a request, in order of precedence. Only parsed; nothing is checked here. */
import type { Proof } from "./viewer.js";

export interface NamedCredentials {
  proof: Exclude<Proof, "none" | "session">;
  name: string;
  secret: string;
}

/** A session's token also identifies the user. */
export type Credentials = NamedCredentials | { proof: "session"; token: string };

/** The client of a request, as stored with its session. */
export interface Caller {
  address: string;
  /** the `User-Agent` header */
  userAgent?: string | undefined;
}

/** The cookies by which a browser is signed in. */
export interface SessionCookies {
  session?: unknown;
  /** the specification's cookies, if accepted: the name, with a valid signature, and the API key */
  user_name?: unknown;
  password_hash?: unknown;
}

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/**
 * HTTP Basic, with the user name as user and the API key as password, separated by the first colon. Undecodable
 * credentials are wrong ones, not absent ones.
 */
function fromBasic(header: string | undefined): Credentials | null {
  const encoded = /^\s*basic(?:\s+(.*))?$/is.exec(header ?? "");
  if (!encoded) return null;
  const decoded = Buffer.from(encoded[1] ?? "", "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  if (colon < 0) return { proof: "basic", name: decoded, secret: "" };
  return { proof: "basic", name: decoded.slice(0, colon), secret: decoded.slice(colon + 1) };
}

function fromParams(params: Record<string, unknown>): Credentials | null {
  const name = text(params.login);
  if (!name) return null;
  const key = text(params.api_key);
  if (key) return { proof: "api_key", name, secret: key };
  const hash = text(params.password_hash);
  return hash ? { proof: "password_hash", name, secret: hash } : null;
}

/** If there is a session token, only it counts: an ended session does not continue by the other cookies. */
function fromCookies(cookies: SessionCookies): Credentials | null {
  const token = text(cookies.session);
  if (token) return { proof: "session", token };
  const name = text(cookies.user_name);
  const secret = text(cookies.password_hash);
  return name && secret ? { proof: "cookie", name, secret } : null;
}

/** `Authorization: Basic`, then, of the query and body, `login` with `api_key`, then `login` with `password_hash`, then the cookies. */
export const findCredentials = (source: {
  authorization: string | undefined;
  params: Record<string, unknown>;
  cookies: SessionCookies;
}): Credentials | null => fromBasic(source.authorization) ?? fromParams(source.params) ?? fromCookies(source.cookies);
