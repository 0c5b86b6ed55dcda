import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { png } from "../support/pictures.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard({ TAGS_PER_SEARCH: "6", MAX_PAGE: "50" });
});
afterAll(() => test[Symbol.asyncDispose]());

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;

/** The ids of a search. */
async function find(tags: string, more: Record<string, string | number> = {}): Promise<number[]> {
  const { json } = await test.anonymous.get("/posts.json", { tags, ...more });
  return (json as { id: number }[]).map((post) => post.id);
}

describe("GET /posts/{id}.json", () => {
  it("returns all fields of a post", async () => {
    const parent = await test.make.post();
    const file = new Blob([new Uint8Array(await png({ width: 1000, height: 700, seed: 4001 }))]);
    const source = "https://www.pixiv.net/artworks/123";
    const attributes = { file, rating: "q", source, parent_id: parent.id };
    const tags = "tree blue_sky artist:alma copyright:saga character:anna meta:scan";
    const made = await test.make.post(tags, attributes);
    const child = await test.make.post("tree", { parent_id: made.id });

    const { status, json } = await test.anonymous.get(`/posts/${made.id}.json`);
    expect(status).toBe(200);
    const { md5 } = made;
    const key = `${md5.slice(0, 2)}/${md5.slice(2, 4)}`;
    const original = `${test.url}/data/original/${key}/${md5}.png`;
    const sample = `${test.url}/data/sample/${key}/sample-${md5}.jpg`;
    const preview = `${test.url}/data/preview/${key}/${md5}.jpg`;
    expect(json).toEqual({
      id: made.id,
      created_at: expect.stringMatching(TIME),
      updated_at: expect.stringMatching(TIME),
      uploader_id: made.uploader.id,
      uploader_name: made.uploader.name,
      approver_id: null,
      score: 0,
      up_score: 0,
      down_score: 0,
      fav_count: 0,
      source,
      md5,
      rating: "q",
      image_width: 1000,
      image_height: 700,
      file_ext: "png",
      file_size: file.size,
      tag_string: "alma anna blue_sky saga scan tree",
      tag_string_general: "blue_sky tree",
      tag_string_artist: "alma",
      tag_string_copyright: "saga",
      tag_string_character: "anna",
      tag_string_meta: "scan",
      tag_count: 6,
      tag_count_general: 2,
      tag_count_artist: 1,
      tag_count_copyright: 1,
      tag_count_character: 1,
      tag_count_meta: 1,
      is_note_locked: false,
      is_rating_locked: false,
      is_status_locked: false,
      is_pending: false,
      is_flagged: false,
      is_deleted: false,
      is_banned: false,
      parent_id: parent.id,
      has_children: true,
      has_active_children: true,
      has_visible_children: true,
      children_ids: String(child.id),
      last_commented_at: null,
      last_comment_bumped_at: null,
      last_noted_at: null,
      pixiv_id: 123,
      bit_flags: 0,
      pool_string: "",
      has_large: true,
      file_url: original,
      large_file_url: sample,
      preview_file_url: preview,
      media_asset: {
        id: expect.any(Number),
        created_at: expect.stringMatching(TIME),
        md5,
        file_ext: "png",
        file_size: file.size,
        image_width: 1000,
        image_height: 700,
        duration: null,
        variants: [
          { type: "preview", url: preview, width: 180, height: 126, file_ext: "jpg" },
          { type: "original", url: original, width: 1000, height: 700, file_ext: "png" },
          { type: "sample", url: sample, width: 850, height: 595, file_ext: "jpg" },
        ],
      },
    });
    expect((await test.anonymous.get(`/posts/${child.id}.json`)).json.children_ids).toBeNull();
  });

  it("has the Pixiv ID of its source, which may have ten digits, but none that no column holds", async () => {
    const { client } = await test.make.user();
    const { id } = await test.make.post("tree");
    for (const [work, pixivId] of [
      ["1234567890", 1_234_567_890],
      ["9999999999", null],
      ["12345678901", null],
    ] as const)
      for (const source of [`https://www.pixiv.net/artworks/${work}`, `https://i.pximg.net/img/${work}_p0.png`]) {
        const { json } = await client.put(`/posts/${id}.json`, { post: { source } });
        expect([source, json.pixiv_id]).toEqual([source, pixivId]);
      }
  });

  it("returns the same post as XML, with types and nils", async () => {
    const { id } = await test.make.post("tree");
    const { text, xml } = await test.anonymous.get(`/posts/${id}.xml`);
    expect(xml?.name).toBe("post");
    expect(text).toContain(`<id type="integer">${id}</id>`);
    expect(text).toContain("<tag-string>lowres tree</tag-string>");
    expect(text).toContain('<is-pending type="boolean">false</is-pending>');
    expect(text).toContain('<parent-id type="integer" nil="true"/>');
    expect(text).toMatch(/<created-at type="dateTime">\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00<\/created-at>/);
  });

  it("404 for an unknown post", async () => {
    for (const id of ["999999", "99999999999999", "0"]) {
      const { status, json } = await test.anonymous.get(`/posts/${id}.json`);
      expect([status, json]).toEqual([404, { success: false, reason: "not found", message: "not found" }]);
    }
    expect((await test.anonymous.get("/posts/-1.json")).status).toBe(404);
    expect((await test.anonymous.get("/posts/abc.json")).status).toBe(404);
  });

  it("of a banned post, hides md5 and URLs below Gold, but lists it", async () => {
    const { id, md5 } = await test.make.post("forbidden");
    await test.board.database.post.update({ where: { id }, data: { isBanned: true } });
    const hidden = ["md5", "file_url", "large_file_url", "preview_file_url", "media_asset"];
    const member = (await test.make.user("Member")).client;
    const gold = (await test.make.user("Gold")).client;
    for (const client of [test.anonymous, member]) {
      const { json } = await client.get(`/posts/${id}.json`);
      expect([json.is_banned, json.tag_string, json.file_ext]).toEqual([true, "forbidden lowres", "jpg"]);
      for (const name of hidden) expect(json).not.toHaveProperty(name);
      expect((await client.get(`/posts/${id}.xml`)).text).not.toMatch(/md5|\/data\//);
    }
    const { json } = await gold.get(`/posts/${id}.json`);
    for (const name of hidden) expect(json).toHaveProperty(name);
    for (const search of ["forbidden", `md5:${md5}`, "forbidden duration:none"])
      expect(await find(search)).toEqual([id]);
  });
});

describe("GET /posts.json", () => {
  let uploader: TestUser;
  let [one, two, three]: [TestPost?, TestPost?, TestPost?] = [];
  const ids = (...posts: (TestPost | undefined)[]) => posts.map((post) => post?.id);

  beforeAll(async () => {
    uploader = await test.make.user("Contributor");
    one = await test.make.post("s_apple s_pear", { rating: "s" }, uploader);
    two = await test.make.post("s_apple s_plum", { rating: "q" }, uploader);
    three = await test.make.post("s_pear s_plum s:smile :d", { rating: "e", as_pending: "1" }, uploader);
    await test.board.database.post.update({ where: { id: one.id }, data: { score: 5, upScore: 5 } });
  });

  it("finds by tag, newest first", async () => {
    expect(await find("s_apple")).toEqual(ids(two, one));
    expect(await find("S_APPLE s_pear")).toEqual(ids(one));
    expect(await find("s_apple nothing_has_this")).toEqual([]);
  });

  it("excludes with -, matches any with ~, and expands *", async () => {
    expect(await find("s_apple -s_pear")).toEqual(ids(two));
    expect(await find("~s_apple ~s_plum")).toEqual(ids(three, two, one));
    expect(await find("s_p*")).toEqual(ids(three, two, one));
    expect(await find("s_pl*m -s_apple")).toEqual(ids(three));
  });

  it("expands / and letters to the tag that most posts have by now", async () => {
    const amber = await test.make.post("amber_quartz");
    expect(await find("/aq")).toEqual([amber.id]);
    const azure = [await test.make.post("azure_quill"), await test.make.post("azure_quill")];
    expect(await find("/aq")).toEqual(azure.map(({ id }) => id).toReversed());
  });

  it("understands rating:, user:, id:, status: and order:", async () => {
    const of = `user:${uploader.name}`;
    expect(await find(`${of} rating:questionable`)).toEqual(ids(two));
    expect(await find(`${of} -rating:s`)).toEqual(ids(three, two));
    expect(await find(of)).toEqual(ids(three, two, one));
    expect(await find("user:nobody_of_this_name")).toEqual([]);
    expect(await find(`id:${one?.id}`)).toEqual(ids(one));
    expect(await find(`${of} id:>${one?.id}`)).toEqual(ids(three, two));
    expect(await find(`${of} status:pending`)).toEqual(ids(three));
    expect(await find(`${of} -status:pending`)).toEqual(ids(two, one));
    expect(await find(`${of} order:id`)).toEqual(ids(one, two, three));
    expect(await find(`${of} order:score`)).toEqual(ids(one, three, two));
  });

  it("treats tags as one literal tag if raw is set", async () => {
    expect(await find("s_apple s_pear", { raw: 1 })).toEqual([]);
    expect(await find("rating:s", { raw: "true" })).toEqual([]);
    expect(await find("s:smile", { raw: 1 })).toEqual(ids(three));
    expect(await find(":d", { raw: 1 })).toEqual(ids(three));
    expect(await find("s_appl*", { raw: 1 })).toEqual([]);
  });

  it("shows deleted posts unless the search says otherwise", async () => {
    const { id } = await test.make.post("s_deleted");
    await test.board.database.post.update({ where: { id }, data: { isDeleted: true } });
    expect(await find("s_deleted")).toEqual([id]);
    expect(await find("s_deleted -status:deleted")).toEqual([]);
  });

  it("424 for more tags than a search may have", async () => {
    expect((await test.anonymous.get("/posts.json", { tags: "a b c d e f" })).status).toBe(200);
    const json = await test.anonymous.get("/posts.json", { tags: "a b c d e f g" });
    expect([json.status, json.json.reason]).toEqual([424, "a search may have at most 6 terms"]);
    const xml = await test.anonymous.get("/posts.xml", { tags: "a b c d e f g" });
    expect([xml.status, xml.xml?.attributes]).toEqual([
      424,
      { success: "false", reason: "a search may have at most 6 terms" },
    ]);
  });

  it("finds by md5", async () => {
    expect(await find("", { md5: String(two?.md5) })).toEqual(ids(two));
    expect(await find("", { md5: String(two?.md5).toUpperCase() })).toEqual(ids(two));
    expect(await find("", { md5: "0".repeat(32) })).toEqual([]);
    for (const none of ["no md5", "any", `${two?.md5},any`]) expect(await find("", { md5: none })).toEqual([]);
  });

  it("finds by md5 on one page only", async () => {
    const md5 = String(two?.md5);
    expect(await find("", { md5, page: 2 })).toEqual([]);
    expect(await find("", { md5, page: `b${two?.id}` })).toEqual([]);
    expect(await find("", { md5, page: `a${one?.id}` })).toEqual(ids(two));
    expect((await test.anonymous.get("/posts.json", { md5, page: 1001 })).status).toBe(424);
  });

  it("pages by number, before and after an id", async () => {
    const tags = `user:${uploader.name}`;
    expect(await find(tags, { limit: 2 })).toEqual(ids(three, two));
    expect(await find(tags, { limit: 2, page: 2 })).toEqual(ids(one));
    expect(await find(tags, { limit: 2, page: 3 })).toEqual([]);
    expect(await find(tags, { page: `b${three?.id}` })).toEqual(ids(two, one));
    expect(await find(tags, { limit: 1, page: `a${one?.id}` })).toEqual(ids(two));
    expect(await find(`${tags} order:score`, { page: `A${one?.id}` })).toEqual(ids(three, two));
  });

  it("424 over the last page number, with the alternative", async () => {
    const { status, json } = await test.anonymous.get("/posts.json", { page: 51 });
    expect([status, json.reason]).toEqual([424, "page must be at most 50; use page=b<id> to go further back"]);
  });

  it("clamps the limit to 1..100, 20 by default", async () => {
    const size = async (more: { limit?: number } = {}) => (await find("", more)).length;
    const rows = await test.board.database.post.count();
    const { id: uploaderId } = await test.make.user();
    for (let number = rows; number < 105; number += 1) {
      const md5 = number.toString(16).padStart(32, "0");
      const facts = { md5, fileExt: "jpg", fileSize: 1, imageWidth: 1, imageHeight: 1 };
      const { id } = await test.board.database.mediaFile.create({ data: { ...facts, frames: 1 } });
      await test.board.database.post.create({ data: { ...facts, mediaFileId: id, uploaderId, rating: "s" } });
    }
    const limits = [3, 1000, 99_999_999_999, 0, -5];
    const sizes = await Promise.all(limits.map((limit) => size({ limit })));
    expect([await size(), ...sizes]).toEqual([20, 3, 100, 100, 1, 1]);
    const { status, json } = await test.anonymous.get("/posts.json", { limit: "many" });
    expect([status, json.reason]).toEqual([424, "limit is invalid"]);
  });

  it("is a bare array, even if empty, and `posts` of type array in XML", async () => {
    const { text } = await test.anonymous.get("/posts.json", { tags: "nothing_has_this" });
    const { xml } = await test.anonymous.get("/posts.xml", { tags: "nothing_has_this" });
    expect([text, xml]).toMatchObject(["[]", { name: "posts", attributes: { type: "array" } }]);
    const full = await test.anonymous.get("/posts.xml", { tags: "s_apple" });
    expect(full.xml?.elements?.map((each) => each.name)).toEqual(["post", "post"]);
  });
});
