import { lookup, type LookupAddress, type LookupOptions } from "node:dns";
import { isIP } from "node:net";
import { callbackify } from "node:util";
import { type BoardError, invalid } from "../errors.js";
import { isPublicAddress } from "./addresses.js";
import { nameResolver } from "./resolver.js";

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

export type Resolve = (host: string) => Promise<LookupAddress[]>;

/**
 * Resolves a name, and refuses it if any of its addresses is not public. The connection uses the checked addresses without
 * resolving the name again, which prevents DNS rebinding.
 */
export function guardedLookup(resolve: Resolve): Lookup {
  const checked = callbackify(async (host: string) => {
    const addresses = await resolve(host);
    const [first] = addresses;
    if (!first || !addresses.every(({ address }) => isPublicAddress(address))) throw notPublic();
    return { first, addresses };
  });
  return (host, { all }, done) =>
    checked(host, (error: Error | null, found) => {
      if (error) done(error, []);
      else if (all) done(null, found.addresses);
      else done(null, found.first.address, found.first.family);
    });
}

export const publicLookup: Lookup = guardedLookup(nameResolver());

/** For hosts that the administrator allows, whose names may be those of the machine's own network. */
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
