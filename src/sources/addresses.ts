import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The part of IPv6 out of which public addresses are given; everything else is special or not assigned. */
const GLOBAL_UNICAST = ipaddr.IPv6.parse("2000::");

/** Azure's platform service, which gives out credentials and settings of the machine at an address out of a public range. */
const AZURE_PLATFORM = "168.63.129.16";

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && address.toString() !== AZURE_PLATFORM;
}

/** The public prefix of NAT64, of 96 bits. Networks have prefixes of their own too, with the IPv4 address at other places. */
const NAT64 = ipaddr.IPv6.parse("64:ff9b::");

/** NAT64 carries the IPv4 address in its last four bytes. */
const behindNat64 = (address: ipaddr.IPv6): ipaddr.IPv4 => new ipaddr.IPv4(address.toByteArray().slice(12));

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  const range = address.range();
  if (range === "ipv4Mapped") return isPublicIPv4(address.toIPv4Address());
  if (address.match(NAT64, 96)) return isPublicIPv4(behindNat64(address));
  // The tunnels 6to4 and teredo hide an IPv4 address too. They are dead, so they are refused like every other special range.
  return range === "unicast" && address.match(GLOBAL_UNICAST, 3);
}

/**
 * Whether an IP address belongs to the public internet: not to this machine, its networks, a cloud's metadata service
 * (169.254.169.254, 168.63.129.16), multicast or anything reserved. Anything but a complete IP address, also one with a zone, is not public.
 */
export function isPublicAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 0 || ip.includes("%")) return false;
  return family === 4 ? isPublicIPv4(ipaddr.IPv4.parse(ip)) : isPublicIPv6(ipaddr.IPv6.parse(ip));
}
