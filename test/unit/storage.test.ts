import { rmSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { execFile } from "node:child_process";
import { hostname } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { buffer, text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config.js";
import { copyFiles } from "../../src/storage/copy.js";
import { DiskStorage } from "../../src/storage/disk.js";
import {
  contentType,
  keysOf,
  originalKey,
  parseKey,
  possibleKeys,
  previewKey,
  sampleKey,
  thumbnailKey,
} from "../../src/storage/keys.js";
import { openStorage } from "../../src/storage/open.js";
import { InvalidKeyError, type Storage } from "../../src/storage/storage.js";
import { Folder } from "../support/folder.js";
import { noS3, TestS3 } from "../support/s3.js";

const md5 = "d41d8cd98f00b204e9800998ecf8427e";
const file = { md5, fileExt: "png" };
const run = promisify(execFile);
/** Whether this machine lets the tests start a process with process numbers of its own, as in a container. */
const maySeparate = process.platform === "linux" && process.getuid?.() === 0;
/** Greater than every process number of Linux (2^22). */
const DEAD_PID = 99_999_999;

describe("keys", () => {
  it("builds the keys of all variants", () => {
    expect(originalKey(file)).toBe(`original/d4/1d/${md5}.png`);
    expect(previewKey(file)).toBe(`preview/d4/1d/${md5}.jpg`);
    expect(thumbnailKey(file, 360)).toBe(`360x360/d4/1d/${md5}.webp`);
    expect(thumbnailKey(file, 720)).toBe(`720x720/d4/1d/${md5}.webp`);
    expect(sampleKey(file)).toBe(`sample/d4/1d/sample-${md5}.jpg`);
  });

  it.each([
    [180, 180, []],
    [181, 10, ["360x360"]],
    [10, 360, ["360x360"]],
    [361, 361, ["360x360", "720x720"]],
  ])("lists the thumbnails of a picture of %i by %i pixels: %j", (imageWidth, imageHeight, larger) => {
    const facts = { imageWidth, imageHeight, hasSample: false, placeholder: "HBkSHYSIeHiPiHh8eJd4eTN0EEQG" };
    const variants = keysOf({ ...file, ...facts }).map((key) => parseKey(key)?.variant);
    expect(variants).toEqual(["original", "preview", ...larger]);
  });

  it.each([null, ""])("builds none for variants that don't exist: %j", (placeholder) => {
    const facts = { imageWidth: 900, imageHeight: 900, hasSample: true, placeholder };
    expect(keysOf({ ...file, ...facts })).toEqual([originalKey(file), previewKey(file), sampleKey(file)]);
  });

  it("lists all variants of a file", () => {
    const facts = { imageWidth: 900, imageHeight: 900, hasSample: true, placeholder: "HBkSHYSIeHiPiHh8eJd4eTN0EEQG" };
    expect(possibleKeys(file)).toEqual(keysOf({ ...file, ...facts }));
  });

  it("parses them", () => {
    expect(parseKey(originalKey(file))).toEqual({ variant: "original", md5, ext: "png" });
    expect(parseKey(previewKey(file))).toEqual({ variant: "preview", md5, ext: "jpg" });
    expect(parseKey(thumbnailKey(file, 360))).toEqual({ variant: "360x360", md5, ext: "webp" });
    expect(parseKey(sampleKey(file))).toEqual({ variant: "sample", md5, ext: "jpg" });
  });

  it.each([
    `original/d4/1e/${md5}.png`,
    `original/d4/1d/sample-${md5}.png`,
    `sample/d4/1d/${md5}.jpg`,
    `preview/d4/1d/${md5}.png`,
    `360x360/d4/1d/${md5}.jpg`,
    `500x500/d4/1d/${md5}.webp`,
    `constructor/d4/1d/${md5}.png`,
    `other/d4/1d/${md5}.png`,
    `original/d4/1d/${md5.toUpperCase()}.png`,
    `original/d4/1d/${md5}`,
    `/original/d4/1d/${md5}.png`,
    "",
  ])("has no variant for %j", (key) => {
    expect(parseKey(key)).toBeNull();
  });

  it("have content types", () => {
    expect(contentType("jpg")).toBe("image/jpeg");
    expect(contentType("webm")).toBe("video/webm");
    expect(contentType("constructor")).toBe("application/octet-stream");
  });
});

/** The kinds of storages, each with what it can't be tried without here. */
const KINDS: ["disk" | "s3", string | null][] = [
  ["disk", null],
  ["s3", noS3],
];

describe.each(KINDS)("a storage: %s", (kind, missing) => {
  describe.skipIf(missing)(`${missing ? `${missing}: ` : ""}a place for files`, () => {
    let store: TestS3 | null = null;
    let folder: Folder;
    let storage: Storage;
    let open: () => Promise<Storage>;

    beforeAll(async () => {
      if (kind === "s3") store = await TestS3.start();
    });
    afterAll(() => store?.[Symbol.asyncDispose]());
    beforeEach(async () => {
      folder = await Folder.make();
      const config = loadConfig({ DATA_DIR: folder.path, ...(await store?.bucket()) });
      open = () => openStorage(config);
      storage = await open();
    });
    afterEach(async () => {
      await storage[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    });

    async function put(key: string, content: string | Buffer, into = storage): Promise<void> {
      const temporary = await into.temporary.create("bin");
      await writeFile(temporary.path, content);
      await into.put(temporary.path, key);
      await temporary.remove();
    }

    const keys = async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const { key } of storage.list()) found.push(key);
      return found;
    };

    it("stores a temporary file", async () => {
      const before = Date.now();
      await put("original/ab/x.png", "hello");
      const found = await storage.stat("original/ab/x.png");
      expect(found?.size).toBe(5);
      expect(Math.abs((found?.mtime.getTime() ?? 0) - before)).toBeLessThan(60_000);
      expect(await text(storage.open("original/ab/x.png"))).toBe("hello");
    });

    it("reads ranges", async () => {
      await put("x.bin", "0123456789");
      const part = (start?: number, end?: number) =>
        text(
          storage.open("x.bin", { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) }),
        );
      expect(await part(1, 3)).toBe("123");
      expect(await part(8)).toBe("89");
      expect(await part(0, 0)).toBe("0");
      expect(await part(undefined, 2)).toBe("012");
    });

    it("keeps files of no bytes and of many, byte for byte", async () => {
      await put("none.bin", "");
      expect([(await storage.stat("none.bin"))?.size, await text(storage.open("none.bin"))]).toEqual([0, ""]);
      const content = Buffer.alloc(20 * 1024 * 1024, "0123456789abcde");
      await put("many.bin", content);
      expect((await buffer(storage.open("many.bin"))).equals(content)).toBe(true);
    });

    it("shows a replaced file as it was or as it is, never a mixture", async () => {
      const contents = ["a", "b", "c", "d"].map((letter) => letter.repeat(200_000));
      await put("a.bin", contents[0] as string);
      const writing = (async () => {
        for (const content of contents) await put("a.bin", content);
      })();
      const seen = await Promise.all(Array.from({ length: 20 }, () => text(storage.open("a.bin"))));
      await writing;
      expect(seen.filter((content) => !contents.includes(content))).toEqual([]);
      expect(await text(storage.open("a.bin"))).toBe(contents[3]);
    });

    it("stores many files concurrently", async () => {
      await Promise.all(Array.from({ length: 20 }, (_, index) => put(`p/q/r/${index}.txt`, `${index}`)));
      expect((await keys()).length).toBe(20);
    });

    it("keeps the old file if there is nothing to store", async () => {
      await put("a.txt", "old");
      await expect(storage.put(folder.at("missing"), "a.txt")).rejects.toThrow("ENOENT");
      expect(await text(storage.open("a.txt"))).toBe("old");
    });

    it("removes files, and ignores missing ones", async () => {
      await put("a/b.txt", "x");
      await storage.remove("a/b.txt");
      await storage.remove("a/b.txt");
      expect(await storage.stat("a/b.txt")).toBeNull();
      expect(await storage.stat("a/b.txt/c")).toBeNull();
      expect(await storage.stat("a")).toBeNull();
      await expect(text(storage.open("a/b.txt"))).rejects.toMatchObject({ code: "ENOENT" });
    });

    it("lets a reader stop in the middle", async () => {
      await put("long.bin", Buffer.alloc(4 * 1024 * 1024));
      for await (const chunk of storage.open("long.bin")) {
        expect((chunk as Buffer).length).toBeGreaterThan(0);
        break;
      }
      expect((await storage.stat("long.bin"))?.size).toBe(4 * 1024 * 1024);
    });

    it("lists all files in order, and leaves temporary files out", async () => {
      expect(await keys()).toEqual([]);
      const temporary = await storage.temporary.create();
      await writeFile(temporary.path, "x");
      for (const key of ["b/2.txt", "b/1.txt", "a/x/y.txt", "top.txt"]) await put(key, "12");
      expect(await keys()).toEqual(["a/x/y.txt", "b/1.txt", "b/2.txt", "top.txt"]);
      for await (const found of storage.list()) expect(found).toMatchObject({ size: 2, mtime: expect.any(Date) });
    });

    it("is the same for everybody who opens it", async () => {
      await using other = await open();
      await put("here.txt", "x");
      await put("there.txt", "y", other);
      expect([await text(other.open("here.txt")), await text(storage.open("there.txt"))]).toEqual(["x", "y"]);
    });

    it.each([
      "",
      "/etc/passwd",
      "../x",
      "a/../../x",
      "a//b",
      "a/",
      "./a",
      "a\0b",
      "a\\..\\b",
      "C:\\x",
      "tmp/x",
      "a\nb",
      "ä",
    ])("refuses the key %j", async (key) => {
      const temporary = await storage.temporary.create();
      await writeFile(temporary.path, "x");
      await expect(storage.put(temporary.path, key)).rejects.toThrow(InvalidKeyError);
      await expect(storage.remove(key)).rejects.toThrow(InvalidKeyError);
      await expect(storage.stat(key)).rejects.toThrow(InvalidKeyError);
      expect(() => storage.open(key)).toThrow(InvalidKeyError);
      expect(() => storage.localPath(key)).toThrow(InvalidKeyError);
      expect(await readFile(temporary.path, "utf8")).toBe("x");
    });

    describe("temporary files", () => {
      it("are on disk, in a folder of this process, with the requested extension", async () => {
        const temporary = await storage.temporary.create("png");
        expect(path.dirname(path.dirname(temporary.path))).toBe(folder.at("media/tmp"));
        expect(path.basename(path.dirname(temporary.path))).toMatch(/-\d+-[0-9a-f]{12}$/);
        expect(path.basename(path.dirname(temporary.path))).toMatch(new RegExp(`^${hostname()}-.*-${process.pid}-`));
        expect(temporary.path).toMatch(/[0-9a-f]\.png$/);
        expect((await storage.temporary.create(".jpg")).path).toMatch(/[0-9a-f]\.jpg$/);
        expect((await stat(path.dirname(temporary.path))).mode & 0o777).toBe(0o700);
      });

      it("can be removed repeatedly, and after they were stored", async () => {
        const [one, other] = [await storage.temporary.create(), await storage.temporary.create()];
        for (const temporary of [one, other]) await writeFile(temporary.path, "x");
        await storage.put(one.path, "one.txt");
        for (const temporary of [one, other, one, other]) await temporary.remove();
        expect(await readdir(path.dirname(one.path))).toEqual([]);
        expect(await keys()).toEqual(["one.txt"]);
      });

      it("can't have an extension with a path", async () => {
        await expect(storage.temporary.create("../x")).rejects.toThrow(InvalidKeyError);
      });

      it("are gone when the storage is disposed of", async () => {
        const temporary = await storage.temporary.create();
        await writeFile(temporary.path, "x");
        await storage[Symbol.asyncDispose]();
        expect(await readdir(folder.at("media/tmp"))).toEqual([]);
      });
    });

    describe("sweep", () => {
      const leftover = async (name: string, ageHours = 0): Promise<void> => {
        const target = folder.at(`media/tmp/${name}`);
        await mkdir(target, { recursive: true });
        await writeFile(path.join(target, "x"), "x");
        const time = Date.now() / 1000 - ageHours * 3600;
        await utimes(target, time, time);
      };
      const left = () => readdir(folder.at("media/tmp"));
      /** The beginning of the names of this host's folders. */
      const hostOf = async ({ temporary }: Storage): Promise<string> =>
        path.basename(path.dirname((await temporary.create()).path)).replace(/-\d+-[0-9a-f]+$/, "");

      it("does nothing in a new storage", async () => {
        expect(await storage.temporary.sweep()).toBe(0);
      });

      it("removes the folders of dead processes and of predecessors with our number", async () => {
        const host = await hostOf(storage);
        await leftover(`${host}-${DEAD_PID}-abcdef`);
        await leftover(`${host}-${process.pid}-abcdef`);
        expect(await storage.temporary.sweep()).toBe(2);
        expect((await left()).length).toBe(1); // its own
      });

      it.skipIf(!maySeparate)(
        "keeps folders of another container with our host name (as root on Linux: with pids of its own)",
        async () => {
          await writeFile((await storage.temporary.create()).path, "x");
          const program = `import { TemporaryFolder } from "${path.resolve(".cache/setup/modules/src/storage/storage.js")}";
          console.log(await new TemporaryFolder(process.argv[1]).sweep());`;
          const node = [process.execPath, "--input-type=module", "--eval", program, folder.at("media/tmp")];
          expect((await run("unshare", ["--pid", "--fork", ...node])).stdout).toBe("0\n");
        },
      );

      it.skipIf(!maySeparate)(
        "leaves what it may not remove (as root on Linux: of a command that root ran and stopped), so that a server starts",
        async () => {
          const host = await hostOf(storage);
          await leftover(`${host}-${DEAD_PID}-abcdef`);
          await chmod(folder.at(`media/tmp/${host}-${DEAD_PID}-abcdef`), 0o700);
          for (const each of ["", "media", "media/tmp"]) await chmod(folder.at(each), 0o755);
          process.seteuid?.(65_534);
          try {
            expect(await storage.temporary.sweep()).toBe(0);
          } finally {
            process.seteuid?.(0);
          }
          expect(await storage.temporary.sweep()).toBe(1);
        },
      );

      it("keeps its own folder and those of other boards in this process, running processes and other hosts", async () => {
        await using sister = await open();
        await storage.temporary.create();
        await sister.temporary.create();
        await leftover(`${await hostOf(storage)}-${process.ppid}-abcdef`);
        await leftover(`elsewhere-${DEAD_PID}-abcdef`, 23);
        await leftover("something");
        expect(await storage.temporary.sweep()).toBe(0);
        expect((await left()).length).toBe(5);
      });

      it("removes everything older than a day", async () => {
        await leftover(`elsewhere-${DEAD_PID}-abcdef`, 25);
        await leftover("something", 25);
        expect(await storage.temporary.sweep()).toBe(2);
      });
    });
  });
});

describe("DiskStorage", () => {
  it("replaces a file while readers finish the old one", async () => {
    await using folder = await Folder.make();
    await using storage = new DiskStorage(folder.at("media"));
    const put = async (content: string) => {
      const temporary = await storage.temporary.create();
      await writeFile(temporary.path, content);
      await storage.put(temporary.path, "a.txt");
    };
    await put("old content");
    expect(storage.localPath("a.txt")).toBe(folder.at("media/a.txt"));
    const reader = storage.open("a.txt", { start: 0 });
    await new Promise((resolve) => reader.once("open", resolve));
    await put("new");
    expect(await text(reader)).toBe("old content");
    expect(await text(storage.open("a.txt"))).toBe("new");
  });
});

describe("copying all files to another storage", () => {
  const keys = [previewKey(file), thumbnailKey(file, 360)];
  let folder: Folder;
  let from: DiskStorage;
  let to: DiskStorage;
  beforeEach(async () => {
    folder = await Folder.make();
    from = new DiskStorage(folder.at("from"));
    to = new DiskStorage(folder.at("to"));
    for (const key of keys) {
      const temporary = await from.temporary.create();
      await writeFile(temporary.path, key);
      await from.put(temporary.path, key);
    }
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  it("leaves out one that is removed meanwhile, as with an expunged post", async () => {
    const open = from.open.bind(from);
    from.open = (key) => {
      if (key === previewKey(file)) rmSync(from.localPath(key));
      return open(key);
    };
    expect(await copyFiles(from, to)).toEqual({ copied: 1, present: 0, refused: [] });
  });

  it("fails if one can't be stored, and leaves no temporary files", async () => {
    const copies: string[] = [];
    to.put = (copy) => {
      copies.push(copy);
      return Promise.reject(new Error("the disk is full"));
    };
    await expect(copyFiles(from, to)).rejects.toThrow("the disk is full");
    expect(copies).toHaveLength(keys.length);
    expect(await readdir(path.dirname(copies[0] as string))).toEqual([]);
  });
});
