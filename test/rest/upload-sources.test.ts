import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { multipart, multipartInit, type Part } from "../support/multipart.js";
import { jpeg } from "../support/pictures.js";
import { redirecting, serving, silent, type Site, startSite } from "../support/site.js";
import { tracesOf, uploadsOf } from "../support/traces.js";

const TIMEOUT = 700;

let site: Site;
/** on this machine too, and not allowed */
let privateSite: Site;
let test: TestBoard;
let uploader: TestUser;
let seed = 2000;

beforeAll(async () => {
  site = await startSite();
  privateSite = await startSite();
  test = await startBoard({
    SOURCE_ALLOW_HOSTS: site.host,
    SOURCE_TIMEOUT_MS: String(TIMEOUT),
    MAX_UPLOAD_BYTES: "200000",
  });
  uploader = await test.make.user("Contributor");
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await privateSite[Symbol.asyncDispose]();
});

/** A page of the site with a new picture. */
async function picturePage(path: string): Promise<string> {
  site.pages.set(path, serving(await jpeg({ seed: (seed += 1) }), "text/plain"));
  return site.url + path;
}

const upload = (source: string, attributes: Params = {}) =>
  uploader.client.post("/uploads.json", { upload: { source, rating: "s", tag_string: "tree", ...attributes } });

/** Expects a 420 on the source, that nothing but an upload row of that status is left, and how long it took. */
async function expectRefusal(source: string, problem: string, what = "source"): Promise<number> {
  const before = await tracesOf(test);
  const began = performance.now();
  const { status, json } = await upload(source);
  const took = performance.now() - began;
  const reason = `${what} ${problem}`;
  expect([status, json]).toEqual([420, { success: false, reason, message: reason, errors: { source: [problem] } }]);
  await expect.poll(() => tracesOf(test)).toEqual(before);
  const rows = await uploadsOf(test, uploader.id);
  expect(rows.at(-1)).toEqual({ status: `error: ${reason}`, postId: null });
  return took;
}

describe("POST /uploads.json with a source", () => {
  it("downloads the file, urlencoded", async () => {
    const source = await picturePage("/a.jpg?size=large");
    const { status, json } = await upload(source);
    expect([status, json.status, json.source, json.content_type]).toEqual([200, "completed", source, "image/jpeg"]);
    const post = await test.anonymous.get(`/posts/${json.post_id}.json`);
    expect(post.json).toMatchObject({ source, md5: json.md5, file_ext: "jpg", image_width: 64, is_pending: false });
  });

  it("downloads the file if a form's file input was left empty", async () => {
    const source = await picturePage("/chosen.jpg");
    const empty = { name: "upload[file]", filename: "", contentType: "application/octet-stream", content: "" };
    const send = (parts: Part[]) => uploader.client.send("/uploads.json", multipartInit(multipart([empty, ...parts])));
    const fields = ["rating", "tag_string"].map((name) => ({ name: `upload[${name}]`, content: "s" }));
    const { status, json } = await send([...fields, { name: "upload[source]", content: source }]);
    expect([status, json.source]).toEqual([200, source]);
    const neither = await send(fields);
    expect([neither.status, neither.json.reason]).toEqual([424, "upload[file] or upload[source] is required"]);
  });

  it("accepts JSON", async () => {
    const source = await picturePage("/b.jpg");
    const body = { upload: { source, rating: "explicit", tag_string: "tree" } };
    const { status, json } = await uploader.client.json("POST", "/uploads.json", body);
    expect([status, json.status, json.rating]).toEqual([200, "completed", "e"]);
  });

  it("reads the source from the tag string", async () => {
    const source = await picturePage("/c.jpg");
    const { status, json } = await upload("", { tag_string: `tree source:${source}` });
    expect([status, json.source]).toEqual([200, source]);
  });

  it("follows redirects, and keeps the source as given", async () => {
    const source = await picturePage("/target.jpg");
    site.pages.set("/one", redirecting("/two"));
    site.pages.set("/two", redirecting(source));
    const { status, json } = await upload(`${site.url}/one`);
    expect([status, json.source]).toEqual([200, `${site.url}/one`]);
    expect(site.asked.slice(-3)).toEqual(["/one", "/two", "/target.jpg"]);
  });

  it("423 for a duplicate file", async () => {
    const source = await picturePage("/twice.jpg");
    const first = await upload(source);
    const before = await tracesOf(test);
    const again = await upload(source);
    expect([again.status, again.json.reason, again.json.post_id]).toEqual([423, "duplicate", first.json.post_id]);
    await expect.poll(() => tracesOf(test)).toEqual(before);
  });

  it("420 for a page, whatever its content type", async () => {
    site.pages.set("/page.jpg", serving("<html><body>See my picture!</body></html>", "image/jpeg"));
    await expectRefusal(
      `${site.url}/page.jpg`,
      "is not a supported file type (jpg, png, gif, webp, avif, mp4, webm)",
      "file",
    );
  });

  it("420 for an empty response", async () => {
    site.pages.set("/empty.jpg", serving(""));
    await expectRefusal(`${site.url}/empty.jpg`, "is empty", "file");
  });

  it("420 for 404", () =>
    expectRefusal(`${site.url}/missing.jpg`, "could not be downloaded (the site responded with 404)"));

  it("420 for endless redirects", async () => {
    site.pages.set("/loop", redirecting("/loop"));
    await expectRefusal(`${site.url}/loop`, "could not be downloaded");
  });

  it("420 for a file over MAX_UPLOAD_BYTES, announced or not", async () => {
    const large = Buffer.alloc(300_000, 1);
    site.pages.set("/large.jpg", serving(large));
    site.pages.set("/endless.jpg", (_, response) => {
      const timer = setInterval(() => response.write(large), 1);
      response.on("close", () => clearInterval(timer));
    });
    await expectRefusal(`${site.url}/large.jpg`, "is larger than 200000 bytes");
    await expectRefusal(`${site.url}/endless.jpg`, "is larger than 200000 bytes");
  });

  it("420 within SOURCE_TIMEOUT_MS if the site never responds, or never ends", async () => {
    site.pages.set("/silent.jpg", silent);
    site.pages.set("/dripping.jpg", (_, response) => {
      const timer = setInterval(() => response.write("x"), 50);
      response.on("close", () => clearInterval(timer));
    });
    for (const page of ["/silent.jpg", "/dripping.jpg"]) {
      const took = await expectRefusal(site.url + page, "could not be downloaded in time");
      expect(took).toBeGreaterThan(TIMEOUT / 2);
      expect(took).toBeLessThan(TIMEOUT + 10_000); // on a busy machine
    }
  });

  it("is downloaded at its user's turn, however many slow sources another one has", async () => {
    await using board = await startBoard({ SOURCE_ALLOW_HOSTS: site.host, SOURCE_TIMEOUT_MS: "60000" });
    const [many, few] = [await board.make.user("Contributor"), await board.make.user("Contributor")];
    const held: ServerResponse[] = [];
    site.pages.set("/held.jpg", (_, response) => void held.push(response));
    const statuses: number[] = [];
    const send = async ({ client }: TestUser, source: string) =>
      statuses.push(
        (await client.post("/uploads.json", { upload: { source, rating: "s", tag_string: "tree" } })).status,
      );
    const sent = Array.from({ length: 33 }, () => send(many, `${site.url}/held.jpg`));
    await expect.poll(() => [held.length, statuses]).toEqual([16, [503]]);
    sent.push(send(few, await picturePage("/turn.jpg")));
    await expect.poll(() => statuses).toEqual([503, 503]);
    for (const response of held.slice(0, 2)) response.destroy();
    await expect.poll(() => statuses.slice(2)).toContain(200);
    site.pages.delete("/held.jpg");
    for (const response of held) response.destroy();
    await Promise.all(sent);
  });

  it.each([
    ["banned", { isBanned: true }],
    ["closed", { isDeleted: true }],
    ["demoted", { level: 20 }],
  ])("403 if the uploader is %s during the download", async (_, data) => {
    const { id, client } = await test.make.user("Contributor");
    const content = await jpeg({ seed: (seed += 1) });
    const end = () => test.board.database.user.update({ where: { id }, data });
    site.pages.set("/meanwhile.jpg", (...answer) => void end().then(() => serving(content)(...answer)));
    const before = await tracesOf(test);
    const sent = { source: `${site.url}/meanwhile.jpg`, rating: "s", tag_string: "tree" };
    expect((await client.post("/uploads.json", { upload: sent })).status).toBe(403);
    await expect.poll(() => tracesOf(test)).toEqual(before);
  });

  it("420 if the connection is interrupted", async () => {
    site.pages.set("/broken.jpg", (_, response) => {
      response.writeHead(200, { "content-length": "1000" }).write("\xff\xd8\xff");
      setTimeout(() => response.destroy(), 50);
    });
    await expectRefusal(`${site.url}/broken.jpg`, "could not be downloaded");
  });

  it.each(["a book", "ftp://example.com/a.png", "file:///etc/passwd", "//example.com/a.png"])(
    "420 for %s, which is not an http(s) URL",
    async (source) => void (await expectRefusal(source, "is not an http or https URL")),
  );

  it("420 for private addresses, without a request", async () => {
    const port = privateSite.host.split(":")[1];
    const hosts = ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "0.0.0.0"];
    for (const host of hosts) {
      await expectRefusal(`http://${host}:${port}/a.jpg`, "leads to an address that is not public");
      await expectRefusal(`http://${host}/a.jpg`, "leads to an address that is not public");
    }
    await expectRefusal("http://169.254.169.254/latest/meta-data/", "leads to an address that is not public");
    await expectRefusal("http://10.0.0.1:8080/", "leads to an address that is not public");
    expect(privateSite.asked).toEqual([]);
  });

  it("420 for a redirect to a private address", async () => {
    site.pages.set("/inside", redirecting(`${privateSite.url}/a.jpg`));
    site.pages.set("/inside80", redirecting("http://127.0.0.1/a.jpg"));
    await expectRefusal(`${site.url}/inside`, "leads to an address that is not public");
    await expectRefusal(`${site.url}/inside80`, "leads to an address that is not public");
    expect(privateSite.asked).toEqual([]);
  });

  it("420 for a source over 1200 characters, without a request and without a row", async () => {
    const before = [await tracesOf(test), await uploadsOf(test, uploader.id), site.asked.length];
    const { status, json } = await upload(`${site.url}/${"x".repeat(1200)}`);
    expect([status, json.reason]).toEqual([420, "source is too long (at most 1200 characters)"]);
    expect([await tracesOf(test), await uploadsOf(test, uploader.id), site.asked.length]).toEqual(before);
  });
});
