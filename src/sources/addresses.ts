import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

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
