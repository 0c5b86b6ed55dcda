import { describe, expect, it } from "vitest";
import { isPublicAddress } from "../../src/sources/target.js";

describe("isPublicAddress", () => {
  it.each(["8.8.8.8", "1.1.1.1", "100.128.0.1", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])(
    "%s is public",
    (ip) => expect(isPublicAddress(ip)).toBe(true),
  );

  const special = [
    "0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.9.9.9 168.63.129.16 169.254.169.254 172.16.0.1",
    "172.31.255.255 192.0.0.8 192.0.2.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1",
    "224.0.0.1 240.0.0.1 255.255.255.255",
    ":: ::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1 100::1 2001:db8::1 4000::1",
  ];
  it.each(special.join(" ").split(" "))("%s is not", (ip) => expect(isPublicAddress(ip)).toBe(false));

  it.each([
    ["mapped", "::ffff:127.0.0.1"],
    ["mapped, in hexadecimal", "::ffff:7f00:1"],
    ["mapped, Azure's platform service", "::ffff:168.63.129.16"],
    ["compatible", "::7f00:1"],
    ["translated", "::ffff:0:127.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["a network's own NAT64", "64:ff9b:1:a00:1::808:808"],
    ["6to4", "2002:7f00:1::"],
    ["teredo", "2001:0:4136:e378:8000:63bf:80ff:fffe"],
  ])("an IPv4 address embedded in IPv6 is checked (%s)", (_, ip) => expect(isPublicAddress(ip)).toBe(false));

  it.each([
    "",
    "localhost",
    "127.1",
    "0177.0.0.1",
    "2130706433",
    "0x7f.1",
    "8.8.8",
    "08.8.8.8",
    "2606:4700::1111%eth0",
  ])("%j is not a complete address", (ip) => expect(isPublicAddress(ip)).toBe(false));
});
