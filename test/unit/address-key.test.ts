/** Which addresses share an hourly limit. */
import { describe, expect, it } from "vitest";
import { addressKey } from "../../src/runtime/limits/limiter.js";

describe("addressKey", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["no address", "no address"],
  ])("%s is %s", (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it("distinguishes neighbouring /64 networks", () => {
    expect(addressKey("2001:db8:0:1::1")).not.toBe(addressKey("2001:db8:0:2::1"));
  });
});
