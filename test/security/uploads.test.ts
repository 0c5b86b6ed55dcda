/** Uploaded files: none runs as a page, none takes more memory or time than allowed, and refused ones leave nothing behind. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runTool } from "../../src/media/video-tools.js";
import { TEMPORARY_FOLDER } from "../../src/storage/storage.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { multipart, multipartInit, openMultipart } from "../support/multipart.js";
import { gif, jpeg, picture, png, pngBomb, truncated, webp } from "../support/pictures.js";
import { redirecting, serving, type Site, startSite } from "../support/site.js";
import { filesOf } from "../support/traces.js";

const MAX_BYTES = 3_000_000;
const MAX_PIXELS = 20_000_000;
const SCRIPT = "<script>alert(document.domain)</script>";

let test: TestBoard;
let site: Site;
let user: TestUser;
beforeAll(async () => {
  site = await startSite();
  test = await startBoard({
    SOURCE_ALLOW_HOSTS: site.host,
    MAX_UPLOAD_BYTES: String(MAX_BYTES),
    MAX_PIXELS: String(MAX_PIXELS),
    VIDEOS: "false",
  });
  user = await test.make.user("Contributor");
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const blob = (content: Buffer | string) => new Blob([typeof content === "string" ? content : new Uint8Array(content)]);
const upload = (content: Buffer | string, name = "a.png"): Promise<Answer> => {
  const form = new FormData();
  form.append("upload[rating]", "s");
  form.append("upload[tag_string]", "x");
  form.append("upload[file]", blob(content), name);
  return user.client.send("/uploads.json", { method: "POST", body: form });
};
const outcomeOf = ({ status, json }: Answer): unknown[] => [status, (json as { reason?: string }).reason ?? ""];
const temporary = async () =>
  (await readdir(path.join(test.board.config.mediaDir, TEMPORARY_FOLDER), { recursive: true })).filter((name) =>
    name.includes(path.sep),
  );

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>`;
const UNSUPPORTED = "file is not a supported file type (jpg, png, gif, webp, avif, mp4, webm)";

describe("pages, and files that could be pages, are refused", () => {
  it.each([
    ["SVG", SVG],
    ["SVG with a declaration", `<?xml version="1.0"?>\n<!DOCTYPE svg>\n${SVG}`],
    ["SVG after blanks and comments", `\n \t<!-- a --><!-- b -->${SVG}`],
    ["SVG in UTF-16", Buffer.from(`\uFEFF${SVG}`, "utf16le")],
    ["packed SVG", Buffer.from("1f8b0800000000000003", "hex")],
    ["HTML", `<!doctype html>${SCRIPT}`],
    ["HTML that begins like a GIF", `GIF89a=1;${SCRIPT}`],
    ["XML", `<?xml-stylesheet href="javascript:alert(1)"?><x/>`],
    ["PDF", "%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction 2 0 R>>endobj"],
    ["JavaScript", "alert(1)"],
    ["a Flash film", Buffer.from("435753", "hex")],
  ])("%s, whatever its name", async (_, content) => {
    for (const name of ["a.png", "a.svg", "a.html"]) {
      const [status, reason] = outcomeOf(await upload(content, name));
      expect([status, [UNSUPPORTED, "file is damaged or incomplete"]]).toEqual([420, expect.arrayContaining([reason])]);
    }
  });
});

describe("a picture that is also a valid page", () => {
  const comment = async (): Promise<Buffer> => {
    const file = await jpeg({ seed: 71_001 });
    const text = Buffer.from(`*/${SCRIPT}/*`);
    const header = Buffer.from([0xff, 0xfe, 0, text.length + 2]);
    return Buffer.concat([file.subarray(0, 2), header, text, file.subarray(2)]);
  };

  it.each([
    ["a JPEG with a comment", comment, "image/jpeg"],
    [
      "a GIF with a page behind its end",
      async () => Buffer.concat([await gif({ seed: 71_002 }), Buffer.from(SCRIPT)]),
      "image/gif",
    ],
    [
      "a WebP with a description",
      () =>
        picture({ seed: 71_003 })
          .withExif({ IFD0: { ImageDescription: SCRIPT } })
          .webp()
          .toBuffer(),
      "image/webp",
    ],
  ])("%s is served as a picture and can't run", async (_, make, type) => {
    const file = await make();
    expect(file.includes(SCRIPT)).toBe(true);
    const { status, json } = await upload(file, "page.html");
    expect([status, json.reason]).toEqual([200, ""]);
    const post = (await user.client.get(`/posts/${json.post_id}.json`)).json as Record<string, string>;
    const answer = await fetch(post.file_url ?? "", { headers: { accept: "text/html" } });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": type,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    const preview = Buffer.from(await (await fetch(post.preview_file_url ?? "")).arrayBuffer());
    expect(preview.includes(SCRIPT)).toBe(false);
  });
});

describe("thumbnails and samples", () => {
  it("contain no metadata: no location, no camera, no comment, no profile", async () => {
    const exif = { IFD0: { Make: "Secret", Software: "Secret" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } };
    const file = await picture({ width: 1200, height: 900, seed: 71_004 }).withExif(exif).jpeg().toBuffer();
    const { json } = await upload(file, "a.jpg");
    const post = (await user.client.get(`/posts/${json.post_id}.json`)).json as Record<string, string>;
    const larger = ["360x360", "720x720"].map((size) =>
      post.preview_file_url?.replace(/preview(.*)jpg/, `${size}$1webp`),
    );
    for (const url of [post.preview_file_url, ...larger, post.large_file_url]) {
      const derived = Buffer.from(await (await fetch(url ?? "")).arrayBuffer());
      const { exif: camera, icc, iptc, xmp, comments, width } = await sharp(derived).metadata();
      expect([camera, icc, iptc, xmp, comments]).toEqual([undefined, undefined, undefined, undefined, undefined]);
      expect(width).toBeLessThan(1200);
      expect(derived.includes("Secret")).toBe(false);
    }
  });
});

/** Everything that can go wrong on the way of a file. */
const FAILURES: [string, () => Promise<Answer>, number][] = [
  ["an empty file", () => upload(""), 420],
  ["a file of no type", () => upload("text"), 420],
  ["half a picture", async () => upload(truncated(await png({ seed: 71_005 }))), 420],
  ["a picture of too many pixels", () => upload(pngBomb(10_000, 10_000)), 420],
  ["a picture of 900 million pixels", () => upload(pngBomb()), 420],
  ["a file of too many bytes", () => upload(Buffer.alloc(MAX_BYTES + 1)), 424],
  ["a tag that can't be one", async () => send({ tag_string: "order:score" }), 420],
  ["no rating", async () => send({ rating: "" }), 424],
  ["another md5", async () => send({ md5_confirmation: "0".repeat(32) }), 420],
  ["a parent that is none", async () => send({ parent_id: "99999" }), 420],
  [
    "a video where there are none",
    () => upload(Buffer.from("00000018667479706d703432000000006d7034326d703431", "hex")),
    420,
  ],
  ["two files", async () => twoFiles(), 424],
  [
    "a body without an end",
    async () => user.client.send("/uploads.json", multipartInit(openMultipart(await parts()))),
    424,
  ],
  ["a visitor", async () => test.anonymous.send("/uploads.json", multipartInit(multipart(await parts()))), 403],
  [
    "a wrong key",
    async () =>
      test.anonymous
        .as({ name: user.name, apiKey: "x" })
        .send("/uploads.json", multipartInit(multipart(await parts()))),
    403,
  ],
  ["another path", async () => user.client.send("/nowhere.json", multipartInit(multipart(await parts()))), 404],
  [
    "a row that takes none",
    async () => user.client.send("/comments.json", multipartInit(multipart(await parts()))),
    424,
  ],
  ["a source that is a page", () => source("/page", serving(`<html>${SCRIPT}`, "image/png")), 420],
  ["a source that is too large", () => source("/large", serving(Buffer.alloc(MAX_BYTES + 1))), 420],
  [
    "a source that breaks off",
    () =>
      source(
        "/broken",
        (_, response) => void response.writeHead(200, { "content-length": 99 }).end("x", () => response.destroy()),
      ),
    420,
  ],
  ["a source that leads away", () => source("/away", redirecting("http://127.0.0.1:1/")), 420],
];

const send = async (attributes: Record<string, string>): Promise<Answer> => test.make.upload(user, attributes);
const parts = async () => [
  { name: "upload[rating]", content: "s" },
  { name: "upload[tag_string]", content: "x" },
  { name: "upload[file]", filename: "a.png", content: await webp({ seed: 71_006 }) },
];
const twoFiles = async (): Promise<Answer> =>
  user.client.send("/uploads.json", multipartInit(multipart([...(await parts()), ...(await parts())])));
const source = (where: string, page: Parameters<Site["pages"]["set"]>[1]): Promise<Answer> => {
  site.pages.set(where, page);
  return user.client.post("/uploads.json", { upload: { source: `${site.url}${where}`, rating: "s", tag_string: "x" } });
};

describe("no file, temporary or not, is left by", () => {
  it.each(FAILURES)("%s", async (_, fail, status) => {
    const before = await filesOf(test);
    expect((await fail()).status).toBe(status);
    await expect.poll(temporary).toEqual([]);
    expect(await filesOf(test)).toEqual(before);
  });

  it("successful uploads, except the file, its thumbnails and its sample", async () => {
    const before = (await filesOf(test)).length;
    expect((await upload(await jpeg({ width: 900, height: 20, seed: 71_007 }))).status).toBe(200);
    await expect.poll(temporary).toEqual([]);
    expect((await filesOf(test)).length).toBe(before + 5);
  });
});

describe("decoding", () => {
  it("does not block the event loop: other requests are answered meanwhile", async () => {
    const large = await png({ width: 4400, height: 4400, seed: 71_008 });
    const state = { isDone: false };
    const working = upload(large).finally(() => (state.isDone = true));
    let answered = 0;
    while (!state.isDone) {
      expect((await test.anonymous.get("/healthz")).status).toBe(200);
      answered += 1;
    }
    expect((await working).status).toBe(200);
    expect(answered).toBeGreaterThan(5);
  });

  it("is refused by the pixels in the header, before memory is allocated", async () => {
    const before = process.memoryUsage().rss;
    expect(outcomeOf(await upload(pngBomb()))).toEqual([420, `file has more than ${MAX_PIXELS} pixels`]);
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
  });
});

describe("ffmpeg and ffprobe", () => {
  it("get no more memory than allowed, and no more than 4 GiB", async () => {
    const copy = (size: string, memory?: number) =>
      runTool("/bin/dd", ["if=/dev/zero", "of=/dev/null", `bs=${size}`, "count=1"], { memory });
    expect(await copy("1M", 50_000_000)).toMatchObject({ outcome: "done" });
    expect(await copy("100M", 50_000_000)).toMatchObject({ outcome: "failed" });
    expect(await copy("1M")).toMatchObject({ outcome: "done" });
    expect(await copy("5G")).toMatchObject({ outcome: "failed" });
  });
});

it("file names are ignored: files are stored by md5", async () => {
  const before = await filesOf(test);
  for (const [index, name] of ["../../../etc/passwd", "/etc/cron.d/x", "..\\..\\x.png", ".htaccess"].entries()) {
    const { status, json } = await upload(await webp({ seed: 71_100 + index }), name);
    const { md5 } = json as { md5: string };
    const folder = `${md5.slice(0, 2)}/${md5.slice(2, 4)}`;
    before.push(`original/${folder}/${md5}.webp`, `preview/${folder}/${md5}.jpg`);
    expect([name, status]).toEqual([name, 200]);
  }
  await expect.poll(() => filesOf(test)).toEqual(before.sort());
});
