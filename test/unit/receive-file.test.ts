import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { failure } from "../../src/errors.js";
import { receiveFile } from "../../src/lib/files.js";
import { Folder } from "../support/folder.js";

const HELLO = "5d41402abc4b2a76b9719d911017c592";

describe("receiveFile", () => {
  const chunks = () => Readable.from([Buffer.from("he"), Buffer.from("llo")]);
  const receive = (folder: Folder, maxBytes: number, onBytes?: (bytes: number) => void) =>
    receiveFile(chunks(), {
      path: folder.at("file"),
      maxBytes,
      tooLarge: () => failure("body_too_large", { limit: maxBytes }),
      onBytes,
    });

  it("writes the file, and returns its size and md5", async () => {
    await using folder = await Folder.make();
    const seen: number[] = [];
    expect(await receive(folder, 5, (bytes) => seen.push(bytes))).toEqual({ size: 5, md5: HELLO });
    expect(await readFile(folder.at("file"), "utf8")).toBe("hello");
    expect(seen).toEqual([2, 3]);
  });

  it("fails at the first byte over the limit", async () => {
    await using folder = await Folder.make();
    await expect(receive(folder, 4)).rejects.toMatchObject({
      key: "body_too_large",
      reason: "the request body is larger than 4 bytes",
    });
    expect((await readFile(folder.at("file"))).length).toBeLessThanOrEqual(4);
  });

  it("fails with the error thrown by the byte counter", async () => {
    await using folder = await Folder.make();
    const refuse = () => {
      throw failure("uploads_in_flight");
    };
    await expect(receive(folder, 5, refuse)).rejects.toMatchObject({ key: "uploads_in_flight" });
  });
});
