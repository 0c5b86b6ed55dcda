/** The client of a request, through the reverse proxies that `TRUST_PROXY` names. */
import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import type { TLSSocket } from "node:tls";
import ipaddr from "ipaddr.js";
import proxyAddr from "proxy-addr";
import type { Config } from "../config.js";

type Trust = (address: string, hop: number) => boolean;

function trustOf(setting: string | undefined): Trust {
  if (setting === undefined || setting === "") return proxyAddr.compile([]);
  if (/^\d+$/.test(setting)) return (_address, hop) => hop < Number(setting);
  return proxyAddr.compile(setting.split(",").map((each) => each.trim()));
}

/** An address as proxies write it, without the port that some of them append. */
const withoutPort = (address: string): string =>
  address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1").replace(/^\[([^\]]*)\](?::\d+)?$/, "$1");

export class Proxies {
  private readonly trust: Trust;

  /** @param setting hops, or addresses separated by commas; without it no proxy is trusted */
  constructor(setting: string | undefined) {
    this.trust = trustOf(setting);
  }

  isProxy(address: string): boolean {
    return this.trust(address, 0);
  }

  /**
   * The client's address, IPv4 in its own form, and that of a link without its zone (`%eth0`), which only this machine knows; 0.0.0.0 for
   * a connection that was reset before it was accepted, of which the system knows none.
   */
  clientIp(request: IncomingMessage): string {
    const found: string | undefined = proxyAddr(request, this.trust);
    const [address = ""] = withoutPort(found ?? "").split("%", 1);
    if (isIPv4(address)) return address;
    return ipaddr.isValid(address) ? ipaddr.process(address).toString() : "0.0.0.0";
  }

  /** `http` or `https`, as requested by the client. */
  protocolOf(request: IncomingMessage): string {
    const own = (request.socket as Partial<TLSSocket>).encrypted ? "https" : "http";
    return this.saidBy(request, "x-forwarded-proto") || own;
  }

  /** Host name and port, as requested by the client. */
  hostOf(request: IncomingMessage): string | undefined {
    return this.saidBy(request, "x-forwarded-host") || request.headers.host;
  }

  /** The value of the first trusted proxy: where proxies append theirs, it is as far from the end as the client's address. */
  private saidBy(request: IncomingMessage, name: "x-forwarded-proto" | "x-forwarded-host"): string | undefined {
    const header = request.headers[name]?.toString();
    if (!header || !this.isProxy(request.socket.remoteAddress ?? "")) return undefined;
    const values = header.split(",");
    const proxies = values.length > 1 ? proxyAddr.all(request, this.trust).length - 1 : 1;
    return values.at(-Math.min(Math.max(proxies, 1), values.length))?.trim();
  }
}

/** Whether browsers speak HTTPS to the board, for its cookies. @param protocol of the request */
export const isSecureFor = ({ PUBLIC_URL }: Pick<Config, "PUBLIC_URL">, protocol: string): boolean =>
  protocol === "https" || PUBLIC_URL?.startsWith("https:") === true;

/** Scheme and host of the board's URLs in responses to a request. @param protocol and host of the request */
export const baseUrlOf = (
  { PUBLIC_URL }: Pick<Config, "PUBLIC_URL">,
  protocol: string,
  host: string | undefined,
): string => PUBLIC_URL ?? `${protocol}://${host ?? "localhost"}`;
