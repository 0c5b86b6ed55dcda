/** What a request says about who sends it, in the order in which it is believed. Pure parsing; nothing is checked here. */
import type { Proof } from "./viewer.js";

export interface Credentials {
  proof: Exclude<Proof, "none">;
  name: string;
  secret: string;
}

export interface CredentialSource {
  authorization: string | undefined;
  /** merged query and body parameters */
  params: Record<string, unknown>;
  cookies: { user_name?: unknown; password_hash?: unknown };
}

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/**
 * HTTP Basic, with the user name as user and the API key as password; the first colon divides them. What can't be decoded
 * is a wrong key like any other, not none at all.
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

function fromCookies(cookies: CredentialSource["cookies"]): Credentials | null {
  const name = text(cookies.user_name);
  const secret = text(cookies.password_hash);
  return name && secret ? { proof: "cookie", name, secret } : null;
}

/** `Authorization: Basic`, then `login` with `api_key`, then `login` with `password_hash`, then the session cookie. */
export const findCredentials = (source: CredentialSource): Credentials | null =>
  fromBasic(source.authorization) ?? fromParams(source.params) ?? fromCookies(source.cookies);
