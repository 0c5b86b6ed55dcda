import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { previewKey, sampleKey } from "../../src/storage/keys.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestPost } from "../support/factory.js";
import { jpeg } from "../support/pictures.js";
import { filesOf } from "../support/traces.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

const at = (key: string): string => path.join(test.board.config.mediaDir, key);
const rowOf = ({ md5 }: TestPost) => test.board.prisma.mediaFile.findUniqueOrThrow({ where: { md5 } });

describe("Thumbnails.regenerate", () => {
  let [first, second]: TestPost[] = [];
  let serial = 61_000;
  /** of a size that has a sample */
  const make = async () => {
    const picture = await jpeg({ width: 900, height: 90, seed: (serial += 1) });
    return test.make.post("tree", { file: new Blob([new Uint8Array(picture)]) });
  };
  beforeEach(async () => {
    [first, second] = [await make(), await make()];
  });
  const posts = () => [first, second] as [TestPost, TestPost];

  it("makes preview and sample again, of the posts of the range alone", async () => {
    const [inside, outside] = posts();
    const files = await filesOf(test);
    const keys = [previewKey(inside), sampleKey(inside)];
    const before = await Promise.all(keys.map((key) => readFile(at(key))));
    for (const key of [...keys, previewKey(outside)]) await writeFile(at(key), "old");
    const seen: unknown[] = [];
    const report = await test.board.thumbnails.regenerate({ from: inside.id, to: inside.id }, (...step) =>
      seen.push(step),
    );
    expect([report, seen]).toEqual([{ posts: 1, failed: 0, failedIds: [] }, [["thumbnails", 0, 1]]]);
    expect(await Promise.all(keys.map((key) => readFile(at(key))))).toEqual(before);
    expect(await readFile(at(previewKey(outside)), "utf8")).toBe("old");
    expect(await filesOf(test)).toEqual(files);
  });

  it("makes samples of posts that had none, and says so in their rows", async () => {
    const [post] = posts();
    await rm(at(sampleKey(post)));
    await test.board.prisma.mediaFile.update({ where: { md5: post.md5 }, data: { hasSample: false } });
    await test.board.thumbnails.regenerate({ from: post.id, to: post.id });
    expect([(await rowOf(post)).hasSample, await filesOf(test)]).toEqual([
      true,
      expect.arrayContaining([sampleKey(post)]),
    ]);
  });

  it("goes on after a post whose original is gone or no picture, and leaves its previews", async () => {
    const [broken, whole] = posts();
    const key = `original/${broken.md5.slice(0, 2)}/${broken.md5.slice(2, 4)}/${broken.md5}.jpg`;
    const range = { from: broken.id, to: whole.id };
    const preview = await readFile(at(previewKey(broken)));
    await writeFile(at(key), "no picture");
    const report = { posts: 1, failed: 1, failedIds: [broken.id] };
    expect(await test.board.thumbnails.regenerate(range)).toEqual(report);
    await rm(at(key));
    expect(await test.board.thumbnails.regenerate(range)).toEqual(report);
    expect(await readFile(at(previewKey(broken)))).toEqual(preview);
  });
});
