import { lookup, type LookupAddress, type LookupOptions } from "node:dns";
import { isIP } from "node:net";
import { type BoardError, invalid } from "../errors.js";
import { isPublicAddress } from "./addresses.js";

/** Ports of web servers. Others belong to databases, mail and other services. */
const PORTS = new Set(["80", "443", "8080", "8443"]);

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;
/** `dns.lookup` as `net.connect` calls it. */
export type Lookup = (host: string, options: LookupOptions, done: LookupCallback) => void;

/** A checked URL; its host name is checked when `lookup` resolves it. */
export interface Target {
  url: URL;
  /** resolves the host for the connection, and refuses private addresses */
  lookup: Lookup;
}

const notPublic = (): BoardError => invalid("source", "source_address");

/** Resolves all addresses of a name, as `dns.lookup` does. */
export type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves a name, and refuses it if any of its addresses is not public. The connection uses the checked addresses without
 * resolving the name again, which prevents DNS rebinding.
 */
export const guardedLookup =
  (resolve: Resolve): Lookup =>
  (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isPublicAddress(address))) return done(notPublic(), []);
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };

export const publicLookup: Lookup = guardedLookup(lookup);

const anyLookup: Lookup = (host, options, done) => lookup(host, options, done);

function parsed(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : null;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (!url || !isWeb || url.username || url.password) throw invalid("source", "source_scheme");
  url.hash = "";
  return url;
}

/** WHATWG URLs omit default ports. */
const portOf = (url: URL): string => url.port || (url.protocol === "https:" ? "443" : "80");

/**
 * Checks what can be checked before a connection: scheme, credentials, port, and the host if it is an IP address (the URL
 * parser has normalised octal, hexadecimal and decimal forms of IPv4).
 * @param allowHosts `host:port`, exempt from the checks of address and port
 * @param base the URL of the redirect, for relative locations
 * @throws BoardError 420 `source_scheme` or `source_address`
 */
export function checkedTarget(text: string, allowHosts: readonly string[], base?: URL): Target {
  const url = parsed(text, base);
  if (allowHosts.some((host) => host.toLowerCase() === `${url.hostname}:${portOf(url)}`))
    return { url, lookup: anyLookup };
  if (!PORTS.has(portOf(url))) throw notPublic();
  // `net.connect` doesn't call `lookup` for IP addresses.
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw notPublic();
  return { url, lookup: publicLookup };
}
