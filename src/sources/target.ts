import { lookup, type LookupAddress, type LookupOptions } from "node:dns";
import { isIP } from "node:net";
import { callbackify } from "node:util";
import ipaddr from "ipaddr.js";
import { type BoardError, invalid } from "../errors.js";
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

/** The IPv6 prefix from which public addresses are allocated; all others are special or unassigned. */
const GLOBAL_UNICAST = ipaddr.IPv6.parse("2000::");

/** Azure's platform service: it serves credentials and settings of the machine, at an address in a public range. */
const AZURE_PLATFORM = "168.63.129.16";

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && address.toString() !== AZURE_PLATFORM;
}

/** The well-known prefix of NAT64, of 96 bits. Networks can also have their own, with the IPv4 address at other positions. */
const NAT64 = ipaddr.IPv6.parse("64:ff9b::");

/** The IPv4 address in the last four bytes. */
const behindNat64 = (address: ipaddr.IPv6): ipaddr.IPv4 => new ipaddr.IPv4(address.toByteArray().slice(12));

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  const range = address.range();
  if (range === "ipv4Mapped") return isPublicIPv4(address.toIPv4Address());
  if (address.match(NAT64, 96)) return isPublicIPv4(behindNat64(address));
  // 6to4 and Teredo also contain an IPv4 address; both are obsolete, and refused like the other special ranges.
  return range === "unicast" && address.match(GLOBAL_UNICAST, 3);
}

/**
 * Whether an IP address is on the public internet, and not this machine, a private network, a cloud's metadata service
 * (169.254.169.254, 168.63.129.16), multicast or reserved. False for anything but a complete IP address without a zone.
 */
export function isPublicAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 0 || ip.includes("%")) return false;
  return family === 4 ? isPublicIPv4(ipaddr.IPv4.parse(ip)) : isPublicIPv6(ipaddr.IPv6.parse(ip));
}
