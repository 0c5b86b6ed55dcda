import { lookup, type LookupAddress, type LookupOptions } from "node:dns";
import { isIP } from "node:net";
import { type BoardError, invalid } from "../errors.js";
import { isPublicAddress } from "./addresses.js";

/** Ports of web servers. Others belong to databases, mail and the like, which must not be talked to over HTTP. */
const PORTS = new Set(["80", "443", "8080", "8443"]);

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;
/** The shape of `dns.lookup` that `net.connect` calls. */
export type Lookup = (host: string, options: LookupOptions, done: LookupCallback) => void;

/** An address that may be asked for, unless its name resolves to a private address. */
export interface Target {
  url: URL;
  /** resolves the host for the connection itself, so that nothing can change between check and use */
  lookup: Lookup;
}

const notPublic = (): BoardError => invalid("source", "source_address");

/** Asks name servers for all addresses of a name, as `dns.lookup` does. */
export type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves a name and refuses it when any of its addresses is not public. The connection uses the very addresses that were
 * checked; a second answer of a hostile name server ("DNS rebinding") is never asked for.
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

/** By the name servers of this machine. */
export const publicLookup: Lookup = guardedLookup(lookup);

const anyLookup: Lookup = (host, options, done) => lookup(host, options, done);

function parsed(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : null;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (!url || !isWeb || url.username || url.password) throw invalid("source", "source_scheme");
  url.hash = "";
  return url;
}

/** WHATWG URLs leave out the port that goes without saying. */
const portOf = (url: URL): string => url.port || (url.protocol === "https:" ? "443" : "80");

/**
 * Checks everything that can be checked before a connection is made: scheme, credentials, port, and the address when the
 * host is one (URL parsing has turned octal, hexadecimal and decimal IPv4 forms into the usual one).
 * @param allowHosts `host:port`, exempt from the checks of address and port
 * @param base where a redirect came from, for relative ones
 * @throws BoardError 420 `source_scheme` or `source_address`
 */
export function checkedTarget(text: string, allowHosts: readonly string[], base?: URL): Target {
  const url = parsed(text, base);
  if (allowHosts.some((host) => host.toLowerCase() === `${url.hostname}:${portOf(url)}`))
    return { url, lookup: anyLookup };
  if (!PORTS.has(portOf(url))) throw notPublic();
  // `net.connect` looks up names only, so a literal address has to be checked here.
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw notPublic();
  return { url, lookup: publicLookup };
}
