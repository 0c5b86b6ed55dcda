/** Requests in the forms that HTTP/1.1 allows besides the usual one: with an upgrade that the server declines, and with a whole URL. */
import { IncomingMessage } from "node:http";

/**
 * A request whose `Upgrade` is ignored unless it is that of a WebSocket. Node takes every request with one out of HTTP, while
 * clients that prefer HTTP/2 (curl, Java) offer it with their first request, and expect an ordinary response from a server without it.
 */
export class IncomingRequest extends IncomingMessage {
  /** as the parser found it; without an initial value, since the constructor of Node sets it */
  declare private isUpgrade: boolean | null;

  get upgrade(): boolean | null {
    return this.isUpgrade && this.headers.upgrade?.toLowerCase() === "websocket";
  }

  set upgrade(isUpgrade: boolean | null) {
    this.isUpgrade = isUpgrade;
  }
}

/** A request line with a whole URL (`GET http://host/path`), as sent to proxies: its authority counts instead of the header `Host`. */
const WHOLE = /^https?:\/\/([^/?#@]+)(?=[/?]|$)/i;

/** Gives the request its path alone before anything reads it. */
export function useOriginForm(request: IncomingMessage): void {
  const { url = "" } = request;
  if (url.startsWith("/")) return;
  const [start = "", authority] = WHOLE.exec(url) ?? [];
  if (authority === undefined) return;
  const rest = url.slice(start.length);
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
  request.headers.host = authority;
}
