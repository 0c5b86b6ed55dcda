import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { previewKey, sampleKey, thumbnailKey } from "../../src/storage/keys.js";
import { StorageUnavailableError } from "../../src/storage/storage.js";
import { failure, invalid } from "../../src/errors.js";
import { Thumbnails } from "../../src/operations/thumbnails.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { runBoardCommand } from "../support/command.js";
import type { TestPost } from "../support/factory.js";
import { jpeg } from "../support/pictures.js";
import { filesOf } from "../support/traces.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

const at = (key: string): string => path.join(test.board.config.mediaDir, key);
const rowOf = ({ md5 }: TestPost) => test.board.database.mediaFile.findUniqueOrThrow({ where: { md5 } });

it("a range that ends before it begins is refused", async () => {
  const { code, stderr } = await runBoardCommand(test.board, ["regenerate-thumbnails", "--posts", "9..1"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("argument '9..1' is invalid. ends before it begins.")]);
});

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

  it("makes thumbnails and samples again, only for posts of the range", async () => {
    const [inside, outside] = posts();
    const files = await filesOf(test);
    const keys = [previewKey(inside), thumbnailKey(inside, 360), thumbnailKey(inside, 720), sampleKey(inside)];
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

  it("makes missing samples, and updates the rows", async () => {
    const [post] = posts();
    await rm(at(sampleKey(post)));
    await test.board.database.mediaFile.update({ where: { md5: post.md5 }, data: { hasSample: false } });
    await test.board.thumbnails.regenerate({ from: post.id, to: post.id });
    expect([(await rowOf(post)).hasSample, await filesOf(test)]).toEqual([
      true,
      expect.arrayContaining([sampleKey(post)]),
    ]);
  });

  it("names the samples and placeholders on that only an earlier version made", async () => {
    const [post] = posts();
    const { database, storage, decoder, transact } = test.board;
    const decode: typeof decoder.decode = async (request) => {
      const { type, info } = await decoder.decode(request);
      return { type, info, hasSample: false };
    };
    const before = await rowOf(post);
    const thumbnails = new Thumbnails({ database, storage, transact, decoder: { decode } } as never);
    expect(await thumbnails.regenerate({ from: post.id, to: post.id })).toMatchObject({ posts: 1 });
    expect([before.hasSample, await rowOf(post)]).toEqual([true, before]);
  });

  it("continues after a post whose original is missing or invalid, and keeps its thumbnails", async () => {
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

  it("continues after posts that can't be written, but not after five in a row: the command says why", async () => {
    const { database, storage, decoder, transact } = test.board;
    const [{ id: from }, { id: to }] = posts();
    const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
    let calls = 0;
    let fails = (call: number): boolean => call === 1;
    const decode: typeof decoder.decode = (request) =>
      fails((calls += 1)) ? Promise.reject(full) : decoder.decode(request);
    const thumbnails = new Thumbnails({ database, storage, transact, decoder: { decode } } as never);
    expect(await thumbnails.regenerate({ from, to })).toEqual({ posts: 1, failed: 1, failedIds: [from] });
    const last = await Promise.all([make(), make(), make(), make(), make()]);
    const range = { from, to: Math.max(...last.map(({ id }) => id)) };
    [calls, fails] = [0, (call) => call !== 4];
    expect(await thumbnails.regenerate(range)).toMatchObject({ posts: 1, failed: 6 });
    [calls, fails] = [0, () => true];
    await expect(thumbnails.regenerate(range)).rejects.toBe(full);
    expect(calls).toBe(5);
  });
});

describe("Thumbnails.backfill", () => {
  const going = new AbortController().signal;
  let serial = 62_000;
  const make = async (size: { width: number; height: number }) => {
    const picture = await jpeg({ ...size, seed: (serial += 1) });
    return test.make.post("tree", { file: new Blob([new Uint8Array(picture)]) });
  };
  /** A post as it was before there were larger thumbnails. */
  const makeOld = async (size = { width: 800, height: 80 }): Promise<TestPost> => {
    const post = await make(size);
    await test.board.database.mediaFile.update({ where: { md5: post.md5 }, data: { placeholder: null } });
    await Promise.all(([360, 720] as const).map((side) => rm(at(thumbnailKey(post, side)), { force: true })));
    return post;
  };
  const placeholderOf = async (post: TestPost) => (await rowOf(post)).placeholder;
  const thumbnailOf = async ({ id }: TestPost): Promise<Record<string, unknown>> => {
    const { json } = await test.anonymous.graphql(`{ post(id: ${id}) { thumbnail { srcSet placeholder } } }`);
    return json.data.post.thumbnail;
  };
  const small = ({ md5 }: TestPost) => `${test.url}/data/${previewKey({ md5 })} 180w`;

  it("makes those of older files; the preview is shown until then", async () => {
    const [post, other] = [await makeOld(), await makeOld({ width: 300, height: 300 })];
    expect(await thumbnailOf(post)).toEqual({ srcSet: small(post), placeholder: null });
    await test.board.thumbnails.backfill(going);
    const sizes = [`${thumbnailKey(post, 360)} 360w`, `${thumbnailKey(post, 720)} 720w`];
    expect(await thumbnailOf(post)).toEqual({
      srcSet: [small(post), ...sizes.map((each) => `${test.url}/data/${each}`)].join(", "),
      placeholder: expect.stringMatching(/^[A-Za-z0-9+/]{20,36}=*$/),
    });
    expect((await thumbnailOf(other)).srcSet).toBe(
      `${small(other)}, ${test.url}/data/${thumbnailKey(other, 360)} 300w`,
    );
    for (const url of [thumbnailKey(post, 360), thumbnailKey(post, 720), thumbnailKey(other, 360)]) {
      const { status, headers } = await fetch(`${test.url}/data/${url}`);
      expect([status, headers.get("content-type")]).toEqual([200, "image/webp"]);
    }
  });

  it("marks an invalid original, but not one that is missing, as while its disk is not mounted, and continues after both", async () => {
    const [gone, broken, whole] = [await makeOld(), await makeOld(), await makeOld()];
    const original = ({ md5 }: TestPost) => at(`original/${md5.slice(0, 2)}/${md5.slice(2, 4)}/${md5}.jpg`);
    await rm(original(gone));
    await writeFile(original(broken), "no picture");
    await test.board.thumbnails.backfill(going);
    expect([await placeholderOf(gone), await placeholderOf(broken)]).toEqual([null, ""]);
    expect(await placeholderOf(whole)).toMatch(/.{20,}/);
    expect(await thumbnailOf(gone)).toEqual({ srcSet: small(gone), placeholder: null });
  });

  it("what it marked as too slow is tried again by the command, and only that", async () => {
    const [slow, whole] = [await makeOld(), await make({ width: 800, height: 80 })];
    const { database, decoder, storage, config, transact } = test.board;
    const busy: typeof decoder = {
      decode: () => Promise.reject(invalid("file", "too_slow")),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
    await new Thumbnails({ database, storage, config, decoder: busy, transact } as never).backfill(going);
    expect(await placeholderOf(slow)).toBe("");
    await writeFile(at(previewKey(whole)), "untouched");
    const range = `${slow.id}..${whole.id}`;
    const { code, stdout } = await runBoardCommand(test.board, [
      "regenerate-thumbnails",
      "--missing",
      "--posts",
      range,
    ]);
    expect([code, JSON.parse(stdout)]).toEqual([0, { posts: 1, failed: 0, failedIds: [] }]);
    expect(await placeholderOf(slow)).toMatch(/.{20,}/);
    expect(await readFile(at(previewKey(whole)), "utf8")).toBe("untouched");
  });

  it("leaves the rest for the next run when the process shuts down", async () => {
    const posts = [await makeOld(), await makeOld()] as const;
    const stopping = new AbortController();
    const { database, decoder, storage, config, transact } = test.board;
    const stopsAfterOne: typeof decoder = {
      decode: (request) => decoder.decode(request).finally(() => stopping.abort()),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
    const parts = { database, storage, config, decoder: stopsAfterOne, transact } as never;
    await new Thumbnails(parts).backfill(stopping.signal);
    expect(await Promise.all(posts.map(placeholderOf))).toEqual([expect.stringMatching(/.{20,}/), null]);
    await test.board.thumbnails.backfill(going);
    expect(await placeholderOf(posts[1])).toMatch(/.{20,}/);
  });

  /** Makes thumbnails by a decoder that fails, perhaps except for one file. @returns the number of files it was given, and the error */
  async function backfillWith(fault: Error, succeeds = 0): Promise<[number, unknown]> {
    const { database, storage, decoder, transact } = test.board;
    let given = 0;
    const decode: typeof decoder.decode = (request) =>
      (given += 1) === succeeds ? decoder.decode(request) : Promise.reject(fault);
    const thumbnails = new Thumbnails({ database, storage, transact, decoder: { decode } } as never);
    const error = await thumbnails.backfill(going).catch((thrown: unknown) => thrown);
    return [given, error];
  }

  it("gives up if five files in a row can't be written, and at once without decoder or storage, and marks no file", async () => {
    const post = await makeOld();
    const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
    for (let more = 0; more < 6; more += 1) await makeOld();
    expect([await backfillWith(full, 4), await backfillWith(full)]).toEqual([
      [7, undefined],
      [5, full],
    ]);
    for (const fault of [failure("overloaded"), new StorageUnavailableError("no store")])
      expect(await backfillWith(fault)).toEqual([1, fault]);
    expect(await placeholderOf(post)).toBeNull();
    await test.board.thumbnails.backfill(going);
    expect(await placeholderOf(post)).toMatch(/.{20,}/);
  });
});
