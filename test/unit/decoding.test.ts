import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { decoding, slowness } from "../../src/media/decoding.js";

describe("decoding", () => {
  it("never does more than two at once", async () => {
    let [running, most] = [0, 0];
    const work = async () => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    };
    await Promise.all(Array.from({ length: 6 }, () => decoding(work)));
    expect(most).toBe(2);
  });

  it("tells a decoding that was stopped from one that failed", async () => {
    const large = sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: "#888888" } });
    const work = large.timeout({ seconds: 1 }).blur(60).jpeg().toBuffer();
    const stopped: unknown = await work.then(() => null).catch((error: unknown) => error);
    expect(slowness(stopped)).toMatchObject({ key: "overloaded", status: 503, cause: stopped });
    expect(slowness(new Error("premature end of JPEG image"))).toBeNull();
  });
});
