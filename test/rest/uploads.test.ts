import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { multipart, multipartInit } from "../support/multipart.js";
import { avif, gif, jpeg, png, webp } from "../support/pictures.js";
import { serving, startSite } from "../support/site.js";
import { tracesOf, uploadsOf } from "../support/traces.js";
import { mp4 } from "../support/videos.js";

let test: TestBoard;
let member: TestUser;
let contributor: TestUser;
beforeAll(async () => {
  // without videos, as on a machine that has no ffmpeg
  test = await startBoard({ UPLOADS_PER_DAY: "4", MAX_UPLOAD_BYTES: "3000000", VIDEOS: "false" });
  member = await test.make.user();
  contributor = await test.make.user("Contributor");
});
afterAll(() => test[Symbol.asyncDispose]());

const md5Of = (content: Uint8Array): string => createHash("md5").update(content).digest("hex");
const postOf = async (answer: Answer) => (await test.anonymous.get(`/posts/${answer.json.post_id}.json`)).json;

/** Expects the refusal, and that it left nothing but, perhaps, upload rows. */
async function expectRefusal(work: () => Promise<Answer>, status: number, reason: string): Promise<Answer> {
  const before = await tracesOf(test);
  const answer = await work();
  expect([answer.status, answer.json.success, answer.json.reason]).toEqual([status, false, reason]);
  await expect.poll(() => tracesOf(test)).toEqual(before);
  return answer;
}

let seed = 1000;
const picture = (width = 40, height = 30): Promise<Buffer> => jpeg({ width, height, seed: (seed += 1) });

describe("POST /uploads.json with a file", () => {
  it("creates a post and returns the upload", async () => {
    const content = await picture();
    const file = new Blob([new Uint8Array(content)]);
    const { status, json, headers } = await contributor.client.post("/uploads.json", {
      upload: { file, rating: "q", tag_string: "Tree artist:Alma", source: "a book", parent_id: "" },
    });
    expect(status).toBe(200);
    const { id, post_id, created_at, updated_at, ...rest } = json;
    expect(rest).toEqual({
      success: true,
      reason: "",
      source: "a book",
      rating: "q",
      uploader_id: contributor.id,
      uploader_name: contributor.name,
      tag_string: "Tree artist:Alma",
      parent_id: null,
      status: "completed",
      md5: md5Of(content),
      md5_confirmation: null,
      content_type: "image/jpeg",
      file_size: content.length,
    });
    expect([typeof id, typeof post_id, created_at]).toEqual(["number", "number", updated_at]);
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
    expect(headers.get("location")).toBe(`/uploads/${id}`);
  });

  it("returns one empty element in XML", async () => {
    const upload = { file: await test.make.picture(), rating: "s", tag_string: "tree" };
    const { status, text, headers } = await contributor.client.post("/uploads.xml", { upload });
    expect([status, text]).toEqual([200, '<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>']);
    expect(headers.get("location")).toMatch(/^\/uploads\/\d+$/);
  });

  it.each(["before", "after"])("accepts fields %s the file, a wrong file name and no content type", async (where) => {
    const file = { name: "upload[file]", filename: "holiday.exe", content: await png({ seed: (seed += 1) }) };
    const fields = [
      { name: "upload[rating]", content: "safe" },
      { name: "upload[tag_string]", content: "bäume" },
    ];
    const body = multipart(where === "before" ? [...fields, file] : [file, ...fields]);
    const answer = await contributor.client.send("/uploads.json", multipartInit(body));
    expect([answer.status, answer.json.content_type, answer.json.tag_string]).toEqual([200, "image/png", "bäume"]);
  });

  it("goes by content, not by the declared type", async () => {
    const content = await webp({ seed: (seed += 1) });
    const file = { name: "upload[file]", filename: "a.gif", contentType: "image/gif", content };
    const fields = ["rating", "tag_string"].map((name) => ({ name: `upload[${name}]`, content: "s" }));
    const answer = await contributor.client.send("/uploads.json", multipartInit(multipart([file, ...fields])));
    expect(answer.json.content_type).toBe("image/webp");
    expect((await postOf(answer)).file_ext).toBe("webp");
  });

  it("accepts credentials before the file; 403 for those after it", async () => {
    const credentials = [
      { name: "login", content: contributor.name },
      { name: "api_key", content: contributor.apiKey },
    ];
    const parts = [
      { name: "upload[file]", filename: "a.jpg", content: await picture() },
      { name: "upload[rating]", content: "s" },
      { name: "upload[tag_string]", content: "tree" },
    ];
    const send = (body: Buffer) => test.anonymous.send("/uploads.json", multipartInit(body));
    const reason = "login required; in a multipart body the credentials come before the file";
    await expectRefusal(() => send(multipart([...parts, ...credentials])), 403, reason);
    const answer = await send(multipart([...credentials, ...parts]));
    expect([answer.status, answer.json.uploader_id]).toEqual([200, contributor.id]);
  });

  it.each([
    ["jpg", "image/jpeg", () => jpeg({ seed: (seed += 1) }), "lowres tree"],
    ["png", "image/png", () => png({ seed: (seed += 1) }), "lowres tree"],
    ["gif", "image/gif", () => gif({ seed: (seed += 1) }), "lowres tree"],
    ["gif", "image/gif", () => gif({ seed: (seed += 1), frames: 3 }), "animated animated_gif lowres tree"],
    ["webp", "image/webp", () => webp({ seed: (seed += 1) }), "lowres tree"],
    ["webp", "image/webp", () => webp({ seed: (seed += 1), frames: 3 }), "animated lowres tree"],
    ["avif", "image/avif", () => avif({ seed: (seed += 1) }), "lowres tree"],
  ])("accepts a %s of type %s", async (ext, type, make, tags) => {
    const content = await make();
    const file = new Blob([new Uint8Array(content)]);
    const answer = await test.make.upload(contributor, { file, tag_string: "tree" });
    expect(answer.json).toMatchObject({ status: "completed", content_type: type, file_size: content.length });
    expect(await postOf(answer)).toMatchObject({ file_ext: ext, md5: md5Of(content), tag_string: tags });
  });

  it("420 for a video without ffmpeg", async () => {
    const file = new Blob([new Uint8Array(mp4())]);
    const reason = "file is a video, and this server has no ffmpeg and ffprobe to read it with";
    const { json } = await expectRefusal(() => test.make.upload(contributor, { file }), 420, reason);
    expect(json.errors).toEqual({ file: ["is a video, and this server has no ffmpeg and ffprobe to read it with"] });
  });

  it("prefers the file to a source, which is then only text", async () => {
    const source = "http://127.0.0.1:1/never-asked.png";
    const answer = await test.make.upload(contributor, { source });
    expect([answer.status, answer.json.source, (await postOf(answer)).source]).toEqual([200, source, source]);
  });
});

describe("the approval queue", () => {
  it("contains uploads below Contributor (33)", async () => {
    const pending = await Promise.all(
      (["Member", "Builder", "Contributor", "Admin"] as const).map(async (level) => {
        const post = await test.make.post("tree", {}, await test.make.user(level));
        return (await test.anonymous.get(`/posts/${post.id}.json`)).json.is_pending as boolean;
      }),
    );
    expect(pending).toEqual([true, true, false, false]);
  });

  it("contains a Contributor's upload with as_pending", async () => {
    expect(await postOf(await test.make.upload(contributor, { as_pending: "1" }))).toMatchObject({ is_pending: true });
    expect(await postOf(await test.make.upload(contributor, { as_pending: "0" }))).toMatchObject({ is_pending: false });
  });

  it("421 after UPLOADS_PER_DAY pending uploads, with Retry-After; Contributors have no limit, also with as_pending", async () => {
    const uploader = await test.make.user();
    for (let count = 0; count < 4; count += 1) expect((await test.make.upload(uploader)).status).toBe(200);
    const refused = await expectRefusal(
      () => test.make.upload(uploader),
      421,
      "daily limit of 4 pending uploads exceeded",
    );
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(80_000);
    for (let count = 0; count < 5; count += 1)
      expect((await test.make.upload(contributor, { as_pending: "1" })).status).toBe(200);
  });

  it("does not count failed and approved uploads", async () => {
    const uploader = await test.make.user();
    for (let count = 0; count < 3; count += 1) await test.make.upload(uploader);
    await test.make.upload(uploader, { file: new Blob(["no picture"]) });
    expect((await test.make.upload(uploader)).status).toBe(200);
    await test.board.database.post.updateMany({ where: { uploaderId: uploader.id }, data: { isPending: false } });
    expect((await test.make.upload(uploader)).status).toBe(200);
  });

  it("counts each file that a new source gave a pending post; one too many is only text", async () => {
    await using site = await startSite();
    await using strict = await startBoard({ UPLOADS_PER_DAY: "3", SOURCE_ALLOW_HOSTS: site.host });
    const uploader = await strict.make.user();
    const { post_id } = (await strict.make.upload(uploader)).json;
    const md5s = new Set<string>();
    for (const name of ["two", "three", "four"]) {
      site.pages.set(`/${name}.jpg`, serving(await picture()));
      const { json } = await uploader.client.put(`/posts/${post_id}.json`, { source: `${site.url}/${name}.jpg` });
      md5s.add(json.md5 as string);
    }
    expect([site.asked, md5s.size]).toEqual([["/two.jpg", "/three.jpg"], 2]);
    expect((await strict.make.upload(uploader)).status).toBe(421);
  });

  it("enforces its limit for concurrent new sources too", async () => {
    await using site = await startSite();
    await using strict = await startBoard({ UPLOADS_PER_DAY: "4", SOURCE_ALLOW_HOSTS: site.host });
    const uploader = await strict.make.user();
    const ids: number[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await strict.make.upload(uploader)).json.post_id as number);
    const answers = await Promise.all(
      ids.map(async (id) => {
        site.pages.set(`/${id}.jpg`, serving(await picture()));
        return uploader.client.put(`/posts/${id}.json`, { source: `${site.url}/${id}.jpg` });
      }),
    );
    expect(answers.map(({ status, json }) => [status, json.source])).toEqual(
      ids.map((id) => [200, `${site.url}/${id}.jpg`]),
    );
    expect(await strict.board.database.mediaFile.count()).toBe(4);
  });

  it("enforces its limit for concurrent uploads", async () => {
    const uploader = await test.make.user();
    const answers = await Promise.all(Array.from({ length: 7 }, () => test.make.upload(uploader)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 200, 200, 421, 421, 421]);
  });
});

describe("upload[rating]", () => {
  it.each([
    ["safe", "s"],
    ["Questionable", "q"],
    ["EXPLICIT", "e"],
    ["S", "s"],
    ["q", "q"],
    ["e", "e"],
    ["general", "s"],
  ])("%s is %s", async (rating, letter) => {
    const answer = await test.make.upload(contributor, { rating });
    expect([answer.json.rating, (await postOf(answer)).rating]).toEqual([letter, letter]);
  });

  it("may be in the tag string, where it wins over the parameter", async () => {
    const said = await test.make.upload(contributor, { rating: undefined, tag_string: "tree rating:Explicit" });
    expect(await postOf(said)).toMatchObject({ rating: "e", tag_string: "lowres tree" });
    const both = await test.make.upload(contributor, { rating: "s", tag_string: "tree rating:e" });
    expect(await postOf(both)).toMatchObject({ rating: "e", tag_string: "lowres tree" });
  });

  it("424 when missing, blank or unknown, without an upload row", async () => {
    const before = await uploadsOf(test, contributor.id);
    const upload = (rating: string | undefined) => () => test.make.upload(contributor, { rating });
    await expectRefusal(upload(undefined), 424, "upload[rating] is required");
    await expectRefusal(upload(" "), 424, "upload[rating] is required");
    await expectRefusal(upload("lewd"), 424, "upload[rating] must be one of safe, questionable, explicit");
    expect(await uploadsOf(test, contributor.id)).toEqual(before);
  });
});

describe("the other parameters", () => {
  it("424 without tag_string; an empty one becomes tagme", async () => {
    const none = () => test.make.upload(contributor, { tag_string: undefined });
    await expectRefusal(none, 424, "upload[tag_string] is required");
    const large = new Blob([new Uint8Array(await picture(600, 600))]);
    expect(await postOf(await test.make.upload(contributor, { file: large, tag_string: "" }))).toMatchObject({
      tag_string: "tagme",
      tag_count: 1,
    });
  });

  it("424 without file and source", async () => {
    const post = (upload: object) => () => contributor.client.json("POST", "/uploads.json", { upload });
    const parameters = { rating: "s", tag_string: "tree" };
    await expectRefusal(post(parameters), 424, "upload[file] or upload[source] is required");
    await expectRefusal(post({ ...parameters, source: " " }), 424, "upload[file] or upload[source] is required");
    await expectRefusal(post({ ...parameters, file: "a text" }), 424, "upload[file] or upload[source] is required");
  });

  it("sets the parent and updates its flags; 420 for an unknown parent", async () => {
    const parent = await test.make.post();
    const child = await test.make.upload(contributor, { parent_id: parent.id });
    expect(await postOf(child)).toMatchObject({ parent_id: parent.id });
    expect((await test.anonymous.get(`/posts/${parent.id}.json`)).json).toMatchObject({
      has_children: true,
      has_active_children: true,
      children_ids: String(child.json.post_id),
    });
    const missing = () => test.make.upload(contributor, { parent_id: 999_999 });
    const { json } = await expectRefusal(missing, 420, "parent does not exist");
    expect(json.errors).toEqual({ parent: ["does not exist"] });
  });

  it("420 if md5_confirmation does not match", async () => {
    const content = await picture();
    const file = new Blob([new Uint8Array(content)]);
    const wrong = () => test.make.upload(contributor, { file, md5_confirmation: "0".repeat(32) });
    await expectRefusal(wrong, 420, "file md5 mismatch");
    const right = await test.make.upload(contributor, { file, md5_confirmation: md5Of(content).toUpperCase() });
    expect([right.status, right.json.md5_confirmation]).toEqual([200, md5Of(content)]);
  });

  it.each([
    ["a parent that no id can be", { tag_string: "parent:9999999999" }, "parent does not exist"],
    ["an md5_confirmation that is none", { md5_confirmation: `\0${"é".repeat(40)}` }, "file md5 mismatch"],
  ])("420 for %s, which leaves a row of the failed upload", async (_, attributes, reason) => {
    const uploader = await test.make.user();
    await expectRefusal(() => test.make.upload(uploader, attributes), 420, reason);
    expect(await uploadsOf(test, uploader.id)).toEqual([{ status: `error: ${reason}`, postId: null }]);
  });

  it("420 for an invalid tag, before the file is inspected", async () => {
    const uploader = await test.make.user();
    const bad = () => test.make.upload(uploader, { tag_string: "tree order:score" });
    await expectRefusal(bad, 420, 'tag_string has "order:score", which begins with the meta-tag order');
    expect(await uploadsOf(test, uploader.id)).toEqual([]);
  });
});

describe("the same file again", () => {
  it("leaves a row with the first 2,000 characters of the tags, whole ones", async () => {
    const uploader = await test.make.user("Contributor");
    const tags = Array.from({ length: 1_000 }, (_, index) => `tag_${index}`).join(" ");
    const file = new Blob(["no picture"]);
    expect((await test.make.upload(uploader, { file, tag_string: tags })).status).toBe(420);
    const kept = await test.board.database.upload.findFirst({ where: { uploaderId: uploader.id } });
    expect(kept?.tagString).toBe(tags.slice(0, tags.lastIndexOf(" ", 2_000)));
  });

  it("423 with the post and its location, in JSON and XML", async () => {
    const content = await picture();
    const upload = { file: new Blob([new Uint8Array(content)]), rating: "s", tag_string: "tree" };
    const first = await contributor.client.post("/uploads.json", { upload });
    const again = await expectRefusal(() => member.client.post("/uploads.json", { upload }), 423, "duplicate");
    const [post_id, location] = [first.json.post_id as number, `/posts/${first.json.post_id}`];
    expect(again.json).toEqual({ success: false, reason: "duplicate", message: "duplicate", post_id, location });
    expect(again.headers.get("location")).toBe(location);
    expect(await uploadsOf(test, member.id)).toEqual([{ status: `error: duplicate: ${post_id}`, postId: null }]);
    const xml = await member.client.post("/uploads.xml", { upload });
    expect([xml.status, xml.headers.get("location"), xml.xml]).toMatchObject([
      423,
      location,
      { name: "response", attributes: { success: "false", reason: "duplicate", post_id: String(post_id), location } },
    ]);
  });
});

describe("who may upload", () => {
  it("403 for visitors and banned users, and the file is not kept", async () => {
    const upload = { file: await test.make.picture(), rating: "s", tag_string: "tree" };
    const reason = "login required; in a multipart body the credentials come before the file";
    await expectRefusal(() => test.anonymous.post("/uploads.json", { upload }), 403, reason);
    const banned = await test.make.user();
    await test.board.database.user.update({ where: { id: banned.id }, data: { isBanned: true } });
    await expectRefusal(() => banned.client.post("/uploads.json", { upload }), 403, "your account is banned");
  });
});

describe("GET /uploads.json", () => {
  it("403 for visitors, also for one upload", async () => {
    const list = await test.anonymous.get("/uploads.json");
    const one = await test.anonymous.get("/uploads/1.json");
    expect([list.status, list.json.reason, one.status]).toEqual([403, "login required", 403]);
  });

  it("lists newest first, in pages, for Members, and filters by uploader, source, status and post", async () => {
    const uploader = await test.make.user("Contributor");
    const first = await test.make.upload(uploader, { source: "book one" });
    const second = await test.make.upload(uploader, { source: "book two" });
    await test.make.upload(uploader, { file: new Blob(["text"]), source: "book two" });
    const ids = async (search: Record<string, string | number>, more = {}) => {
      const { json } = await member.client.get("/uploads.json", { search, ...more });
      return (json as { status: string; post_id: number | null }[]).map((row) => row.post_id);
    };
    const [one, two] = [first.json.post_id, second.json.post_id];
    expect(await ids({ uploader_id: uploader.id })).toEqual([null, two, one]);
    expect(await ids({ uploader_id: uploader.id }, { limit: 1, page: 2 })).toEqual([two]);
    expect(await ids({ uploader_name: uploader.name.toUpperCase(), source: "book two" })).toEqual([null, two]);
    expect(await ids({ uploader_id: uploader.id, status: "completed" })).toEqual([two, one]);
    expect(await ids({ post_id: one })).toEqual([one]);
    expect(await ids({ source: "book" })).toEqual([]);
    expect(await ids({ uploader_name: "nobody" })).toEqual([]);
  });

  it("shows the favorite and the vote of a tag string, which are private, to the uploader and Admins only", async () => {
    const [janitor, admin] = [await test.make.user("Janitor"), await test.make.user("Admin")];
    const shown = async (tag_string: string) => {
      const { id } = (await test.make.upload(contributor, { tag_string })).json;
      const tags = async ({ client }: TestUser) => (await client.get(`/uploads/${id}.json`)).json.tag_string;
      return Promise.all([member, janitor, contributor, admin].map(tags));
    };
    const whole = 'tree  FAV:me -fav:me downvote:me source:"my fav:me  book" pool:none';
    const others = 'tree source:"my fav:me  book" pool:none';
    expect(await shown(whole)).toEqual([others, others, whole, whole]);
    expect((await shown("tree  sea"))[0]).toBe("tree sea"); // blanks would tell that something was left out
  });

  it("returns one, 404 for an unknown one, and a list in XML", async () => {
    const made = await test.make.upload(contributor);
    const { success, reason, ...record } = made.json;
    expect([success, reason]).toEqual([true, ""]);
    expect((await contributor.client.get(`/uploads/${record.id}.json`)).json).toEqual(record);
    // the md5 leads to the file, which others may not be allowed to see
    expect((await member.client.get(`/uploads/${record.id}.json`)).json).toEqual({ ...record, md5: null });
    expect((await member.client.get("/uploads/999999.json")).status).toBe(404);
    const { xml } = await member.client.get("/uploads.xml", { limit: 1 });
    expect(xml).toMatchObject({ name: "uploads", attributes: { type: "array" }, elements: [{ name: "upload" }] });
  });
});
