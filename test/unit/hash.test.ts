import { describe, expect, it } from "vitest";
import { md5OfFile } from "../../src/lib/files.js";
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
