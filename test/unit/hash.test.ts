import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { describe, expect, it } from "vitest";
import { Md5Counter, md5OfFile } from "../../src/lib/hash.js";
import { Folder } from "../support/folder.js";

const HELLO = "5d41402abc4b2a76b9719d911017c592";

describe("md5OfFile", () => {
  it("is the md5 of the content", async () => {
    await using folder = await Folder.make();
    expect(await md5OfFile(await folder.write("hello", "hello"))).toBe(HELLO);
    expect(await md5OfFile(await folder.write("empty", ""))).toBe("d41d8cd98f00b204e9800998ecf8427e");
  });

  it("fails if there is no file", async () => {
    await expect(md5OfFile("/nonexistent/file")).rejects.toThrow("ENOENT");
  });
});

describe("Md5Counter", () => {
  const chunks = () => Readable.from([Buffer.from("he"), Buffer.from("llo")]);

  it("passes bytes through, counts them and knows their md5 at the end", async () => {
    const counter = new Md5Counter(5);
    expect(counter.md5).toBeNull();
    expect((await buffer(chunks().pipe(counter))).toString()).toBe("hello");
    expect(counter.bytes).toBe(5);
    expect(counter.md5).toBe(HELLO);
  });

  it("fails at the first byte over the limit", async () => {
    const counter = new Md5Counter(4);
    const seen: Buffer[] = [];
    const sink = async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) seen.push(chunk);
    };
    await expect(pipeline(chunks(), counter, sink)).rejects.toMatchObject({
      key: "body_too_large",
      reason: "the request body is larger than 4 bytes",
    });
    expect(Buffer.concat(seen).length).toBeLessThanOrEqual(4);
    expect(counter.md5).toBeNull();
  });
});
