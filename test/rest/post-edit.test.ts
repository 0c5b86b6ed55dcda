import { createHash } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { LOCKS } from "../../src/database/lock.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { holdRow, PATIENCE } from "../support/held-table.js";
import { jpeg } from "../support/pictures.js";
import { type PostEdits, postEdits } from "../support/post-edits.js";
import { serving, type Site, startSite } from "../support/site.js";
import { filesOf } from "../support/traces.js";

let site: Site;
let test: TestBoard;
let posts: PostEdits;
let builder: TestUser;
let admin: TestUser;
beforeAll(async () => {
  site = await startSite();
  test = await startBoard({ SOURCE_ALLOW_HOSTS: site.host, SOURCE_TIMEOUT_MS: "2000", ...PATIENCE });
  posts = await postEdits(test);
  builder = await test.make.user("Builder");
  admin = await test.make.user("Admin");
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
afterEach(() => posts.expectTrueCounts());

describe("PUT /posts/{id}.json", () => {
  it("returns the whole post after the edit", async () => {
    const { id } = await posts.plain("tree");
    const { status, json } = await posts.edit(id, { tag_string: "tree sky", rating: "e", source: "a book" });
    const { success, reason, ...post } = json;
    expect([status, success, reason]).toEqual([200, true, ""]);
    expect(post).toEqual(await posts.show(id));
    expect(post).toMatchObject({ tag_string: "sky tree", rating: "e", source: "a book", tag_count: 2 });
    expect(Date.parse(post.updated_at)).toBeGreaterThan(Date.parse(post.created_at));
  });

  it("returns one empty element in XML", async () => {
    const { id } = await posts.plain("tree");
    const { text } = await posts.member.client.put(`/posts/${id}.xml`, { post: { rating: "e" } });
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
  });

  it("keeps fields that are not sent; when nothing changes, not even the time of the last edit does", async () => {
    const { id } = await posts.plain("tree sky", { rating: "q", source: "a book" });
    const before = await posts.show(id);
    await posts.edit(id, { tag_string: "sky tree", rating: "questionable", source: " a book ", parent_id: "" });
    await posts.member.client.put(`/posts/${id}.json`, {});
    await posts.edit(id, { is_rating_locked: "0", is_note_locked: "1" });
    await test.board.database.tag.update({ where: { name: "sky" }, data: { isLocked: true } });
    await posts.edit(id, { tag_string: "artist:sky tree" });
    expect(await posts.show(id)).toEqual(before);
    expect((await posts.versions(id)).length).toBe(1);
  });

  it("403 for visitors, 404 for an unknown post", async () => {
    const { id } = await posts.plain("tree");
    const visitor = await test.anonymous.put(`/posts/${id}.json`, { post: { rating: "e" } });
    expect([visitor.status, visitor.json.reason]).toEqual([403, "login required"]);
    expect((await posts.edit(999_999, { rating: "e" })).status).toBe(404);
    expect((await posts.show(id)).rating).toBe("s");
  });

  it("403 for a banned post below Gold", async () => {
    const { id } = await posts.plain("tree");
    await test.board.database.post.update({ where: { id }, data: { isBanned: true } });
    await posts.expectRefusal(id, { rating: "e" }, 403, "access denied");
    const gold = await test.make.user("Gold");
    expect((await posts.edit(id, { rating: "e" }, gold)).status).toBe(200);
  });
});

describe("old_rating, old_source and old_parent_id", () => {
  it("keep the current value if the client did not change the field", async () => {
    const [post, parent] = [await posts.plain("tree", { rating: "e", source: "new" }), await posts.plain("tree")];
    await posts.edit(post.id, { parent_id: parent.id });
    await posts.edit(post.id, { rating: "s", old_rating: "safe", source: "old", old_source: "old" });
    await posts.edit(post.id, { parent_id: "", old_parent_id: "" });
    expect(await posts.show(post.id)).toMatchObject({ rating: "e", source: "new", parent_id: parent.id });
    await posts.edit(post.id, { rating: "q", old_rating: "s", source: "newer", old_source: "old" });
    await posts.edit(post.id, { parent_id: "", old_parent_id: parent.id });
    expect(await posts.show(post.id)).toMatchObject({ rating: "q", source: "newer", parent_id: null });
  });
});

describe("post[rating] and locks", () => {
  it("accepts words and letters; 424 for others", async () => {
    const { id } = await posts.plain("tree");
    for (const [rating, letter] of Object.entries({ Explicit: "e", q: "q", SAFE: "s" })) {
      expect((await posts.edit(id, { rating })).json.rating).toBe(letter);
    }
    await posts.expectRefusal(id, { rating: "lewd" }, 424, "post[rating] must be one of safe, questionable, explicit");
  });

  it("422 if the rating is locked, unless the lock changes too", async () => {
    const { id } = await posts.plain("tree");
    expect((await posts.edit(id, { is_rating_locked: "1" }, builder)).json.is_rating_locked).toBe(true);
    await posts.expectRefusal(id, { rating: "e", tag_string: "other" }, 422, "rating is locked");
    await posts.expectRefusal(id, { tag_string: "other rating:e" }, 422, "rating is locked", admin);
    expect((await posts.edit(id, { rating: "s", tag_string: "other" })).status).toBe(200);
    await posts.expectRefusal(id, { rating: "e", is_rating_locked: "0" }, 422, "rating is locked");
    await posts.expectRefusal(id, { rating: "e", is_rating_locked: "1" }, 422, "rating is locked", builder);
    const both = await posts.edit(id, { rating: "e", is_rating_locked: "0" }, builder);
    expect(both.json).toMatchObject({ rating: "e", is_rating_locked: false });
  });

  it("can be set by Builders (notes, rating) and Admins (status), and are ignored from others", async () => {
    const { id } = await posts.plain("tree");
    const all = { is_note_locked: "1", is_rating_locked: "1", is_status_locked: "1" };
    const locks = async (post: Params, as: TestUser) => {
      const { json } = await posts.edit(id, post, as);
      return [json.is_note_locked, json.is_rating_locked, json.is_status_locked] as boolean[];
    };
    expect(await locks(all, await test.make.user("Platinum"))).toEqual([false, false, false]);
    expect(await locks(all, builder)).toEqual([true, true, false]);
    expect(await locks(all, admin)).toEqual([true, true, true]);
    const words = { tag_string: "tree -locked:note -locked:rating -locked:status" };
    expect(await locks(words, posts.member)).toEqual([true, true, true]);
    expect(await locks(words, admin)).toEqual([false, false, false]);
    expect(await locks({ tag_string: "tree locked:notes" }, builder)).toEqual([true, false, false]);
    expect([(await posts.versions(id)).length, (await posts.show(id)).tag_string]).toEqual([1, "tree"]);
    const search = { subject_type: "Post", subject_id: id };
    const logged = (await test.anonymous.get("/mod_actions.json", { search })).json as Params[];
    expect(logged.map(({ creator_id, category, description }) => [creator_id, category, description])).toEqual([
      [builder.id, "post_lock", `locked notes of post #${id}`],
      [admin.id, "post_unlock", `unlocked notes, rating, status of post #${id}`],
      [admin.id, "post_lock", `locked status of post #${id}`],
      [builder.id, "post_lock", `locked notes, rating of post #${id}`],
    ]);
  });
});

describe("locks in the tag string of an upload", () => {
  it("are set and logged like those of an edit", async () => {
    const tags = "tree locked:notes locked:rating locked:status";
    const [one, other] = [await posts.plain(tags, {}, builder), await posts.plain(tags, {}, posts.member)];
    const { is_note_locked, is_rating_locked, is_status_locked } = await posts.show(one.id);
    expect([is_note_locked, is_rating_locked, is_status_locked]).toEqual([true, true, false]);
    const search = { subject_type: "Post", subject_id: `${one.id},${other.id}` };
    const logged = (await test.anonymous.get("/mod_actions.json", { search })).json as Params[];
    expect(logged.map(({ creator_id, category, description }) => [creator_id, category, description])).toEqual([
      [builder.id, "post_lock", `locked notes, rating of post #${one.id}`],
    ]);
  });
});

describe("rating:, parent: and source: in the tag string", () => {
  it("set their field and are not tags", async () => {
    const [post, parent] = [await posts.plain("tree"), await posts.plain("tree")];
    const typed = `tree RATING:Explicit parent:${parent.id} source:"a fine book"`;
    const { json } = await posts.edit(post.id, { tag_string: typed });
    expect(json).toMatchObject({ tag_string: "tree", rating: "e", parent_id: parent.id, source: "a fine book" });
    const kept = await posts.edit(post.id, { tag_string: `tree -parent:${post.id}` });
    expect(kept.json.parent_id).toBe(parent.id);
    const cleared = await posts.edit(post.id, { tag_string: `tree -parent:${parent.id} source:none` });
    expect(cleared.json).toMatchObject({ tag_string: "tree", parent_id: null, source: "" });
  });

  it("win over the fields beside them, which forms send with every edit", async () => {
    const [post, parent] = [await posts.plain("tree", { source: "a book" }), await posts.plain("tree")];
    const unchanged = { rating: "s", source: "a book", parent_id: "", is_note_locked: "0" };
    const typed = `tree rating:e source:"a film" parent:${parent.id} locked:notes`;
    const { json } = await posts.edit(post.id, { ...unchanged, tag_string: typed }, builder);
    expect(json).toMatchObject({ rating: "e", source: "a film", parent_id: parent.id, is_note_locked: true });
    const changed = { rating: "q", source: "a poem", parent_id: post.id, is_note_locked: "1" };
    const cleared = "tree rating:s source:none parent:none -locked:notes";
    const answer = await posts.edit(post.id, { ...changed, tag_string: cleared }, builder);
    expect(answer.json).toMatchObject({ rating: "s", source: "", parent_id: null, is_note_locked: false });
    await posts.expectRefusal(
      post.id,
      { rating: "lewd", tag_string: "tree rating:e" },
      424,
      "post[rating] must be one of safe, questionable, explicit",
    );
  });
});

describe("post[parent_id]", () => {
  const family = async (id: number) => {
    const { parent_id, has_children, has_active_children, children_ids } = await posts.show(id);
    return [parent_id, has_children, has_active_children, children_ids] as unknown[];
  };

  it("sets, changes and clears the parent, and updates the flags of old and new parent", async () => {
    const [child, one, two] = [await posts.plain("a"), await posts.plain("b"), await posts.plain("c")];
    expect((await posts.edit(child.id, { parent_id: one.id })).json.parent_id).toBe(one.id);
    expect(await family(one.id)).toEqual([null, true, true, String(child.id)]);
    await posts.edit(child.id, { parent_id: two.id });
    expect([await family(one.id), await family(two.id)]).toEqual([
      [null, false, false, null],
      [null, true, true, String(child.id)],
    ]);
    expect((await posts.edit(child.id, { parent_id: "" })).json.parent_id).toBeNull();
    expect(await family(two.id)).toEqual([null, false, false, null]);
    const flags = (await posts.versions(child.id)).map((version) => [version.parent_id, version.parent_changed]);
    expect(flags).toEqual([
      [null, true],
      [two.id, true],
      [one.id, true],
      [null, false],
    ]);
  });

  it("counts deleted children as children, not as active ones", async () => {
    const [child, parent] = [await posts.plain("a"), await posts.plain("b")];
    await test.board.database.post.update({ where: { id: child.id }, data: { isDeleted: true } });
    await posts.edit(child.id, { parent_id: parent.id });
    expect(await family(parent.id)).toEqual([null, true, false, String(child.id)]);
    expect((await posts.show(parent.id)).has_visible_children).toBe(false);
  });

  it("420 for a missing parent, the post itself and a cycle of any length", async () => {
    const [a, b, c] = [await posts.plain("a"), await posts.plain("b"), await posts.plain("c")];
    await posts.edit(b.id, { parent_id: a.id });
    await posts.edit(c.id, { parent_id: b.id });
    const refusals: [number, number, string][] = [
      [a.id, 999_999, "does not exist"],
      [a.id, 2_147_483_647, "does not exist"],
      [a.id, -1, "does not exist"],
      [a.id, 0, "does not exist"],
      [a.id, a.id, "can't be the post itself"],
      [a.id, b.id, "would make the post its own ancestor"],
      [a.id, c.id, "would make the post its own ancestor"],
    ];
    for (const [id, parent_id, problem] of refusals) {
      const { json } = await posts.expectRefusal(id, { parent_id, tag_string: "new" }, 420, `parent ${problem}`);
      expect(json.errors).toEqual({ parent: [problem] });
    }
    await posts.expectRefusal(
      a.id,
      { tag_string: `new parent:${c.id}` },
      420,
      "parent would make the post its own ancestor",
    );
    await posts.expectRefusal(a.id, { tag_string: "new parent:9999999999" }, 420, "parent does not exist");
    await posts.expectRefusal(
      a.id,
      { parent_id: "9999999999" },
      424,
      "post[parent_id] must be between -2147483647 and 2147483647",
    );
    await posts.expectRefusal(a.id, { parent_id: "somebody" }, 424, "post[parent_id] is invalid");
  });
});

describe("post[source]", () => {
  it("420 over 1200 characters; characters are not bytes", async () => {
    const { id } = await posts.plain("tree");
    expect((await posts.edit(id, { source: "😀".repeat(1200) })).status).toBe(200);
    await posts.expectRefusal(id, { source: "😀".repeat(1201) }, 420, "source is too long (at most 1200 characters)");
    expect((await posts.edit(id, { source: "e\u0301" })).json.source).toBe("\u00e9");
  });

  it("from the uploader or a Builder downloads the file, and keeps the old one for the versions", async () => {
    for (const by of ["uploader", "builder"] as const) {
      const post = await posts.plain("tree", {}, by === "uploader" ? posts.member : undefined);
      const before = await posts.show(post.id);
      site.pages.set(`/${by}.jpg`, serving(await jpeg({ width: 1700, height: 1300, seed: post.id + 5000 })));
      const source = `${site.url}/${by}.jpg`;
      const { json } = await posts.edit(post.id, { source }, by === "uploader" ? posts.member : builder);
      expect(json).toMatchObject({ source, image_width: 1700, image_height: 1300, tag_string: "highres tree" });
      expect(json.md5).not.toBe(before.md5);
      expect(json.file_url).toContain(json.md5);
      expect((await fetch(json.file_url as string)).status).toBe(200);
      expect((await fetch(json.large_file_url as string)).status).toBe(200);
      expect((await fetch(before.file_url as string)).status).toBe(200);
      expect((await posts.versions(post.id)).length).toBe(2);
      const again = await test.make.upload(posts.member, { source });
      expect(again.status).toBe(200);
    }
  });

  it("is only text from others, for a page, a dead link, and a duplicate file", async () => {
    const post = await posts.plain("tree");
    const { md5 } = await posts.show(post.id);
    site.pages.set("/new.jpg", serving(await jpeg({ seed: 5900 })));
    site.pages.set("/page", serving("<html>", "text/html"));
    site.pages.set(
      "/same.jpg",
      serving(Buffer.from(await (await fetch((await posts.show(post.id)).file_url)).arrayBuffer())),
    );
    const files = await filesOf(test);
    const asked = site.asked.length;
    expect((await posts.edit(post.id, { source: `${site.url}/new.jpg` })).json.md5).toBe(md5);
    expect(site.asked.length).toBe(asked);
    for (const page of ["page", "missing", "same.jpg"]) {
      const source = `${site.url}/${page}`;
      expect((await posts.edit(post.id, { source }, builder)).json).toMatchObject({ source, md5 });
    }
    expect((await posts.edit(post.id, { source: "http://127.0.0.1/a.jpg" }, builder)).json.md5).toBe(md5);
    await expect.poll(() => filesOf(test)).toEqual(files);
  });

  it("is only text from the uploader once the post is approved, even if that is during the download", async () => {
    const post = await posts.plain("tree", {}, posts.member);
    const { md5 } = await posts.show(post.id);
    const approve = () => test.board.database.post.update({ where: { id: post.id }, data: { isPending: false } });
    const content = await jpeg({ seed: 5910 });
    site.pages.set(
      "/meanwhile.jpg",
      (request, response) => void approve().then(() => serving(content)(request, response)),
    );
    const files = await filesOf(test);
    for (const page of ["meanwhile", "afterwards"]) {
      const source = `${site.url}/${page}.jpg`;
      expect((await posts.edit(post.id, { source })).json).toMatchObject({ source, md5, is_pending: false });
    }
    expect([site.asked.includes("/meanwhile.jpg"), site.asked.includes("/afterwards.jpg")]).toEqual([true, false]);
    await expect.poll(() => filesOf(test)).toEqual(files);
    site.pages.set("/builder.jpg", serving(content));
    expect((await posts.edit(post.id, { source: `${site.url}/builder.jpg` }, builder)).json.md5).not.toBe(md5);
  });

  it.each([
    ["banned", { isBanned: true }, "image/jpeg"],
    ["banned", { isBanned: true }, "text/html"],
    ["closed", { isDeleted: true }, "image/jpeg"],
    ["demoted", { level: 20 }, "image/jpeg"],
  ])("is refused if the editor is %s during the download: %o, %s", async (_, data, type) => {
    const editor = await test.make.user("Builder");
    const post = await posts.plain("tree");
    const end = () => test.board.database.user.update({ where: { id: editor.id }, data });
    const content = type === "image/jpeg" ? await jpeg({ seed: 5912 }) : "<html>";
    site.pages.set("/ended.jpg", (...answer) => void end().then(() => serving(content, type)(...answer)));
    const [before, files] = [await posts.show(post.id), await filesOf(test)];
    expect((await posts.edit(post.id, { source: `${site.url}/ended.jpg` }, editor)).status).toBe(403);
    expect(await posts.show(post.id)).toEqual(before);
    await expect.poll(() => filesOf(test)).toEqual(files);
  });

  it("is only text if another upload brings the same file meanwhile", async () => {
    const post = await posts.plain("tree");
    const { md5 } = await posts.show(post.id);
    const content = await jpeg({ seed: 5911 });
    site.pages.set("/twice.jpg", serving(content));
    const held = await holdRow(test.board.databaseUrl, "posts", post.id);
    const edit = posts.edit(post.id, { source: `${site.url}/twice.jpg`, tag_string: "tree harbor" }, builder);
    await expect.poll(() => held.waiting()).toBe(1);
    const file = new Blob([new Uint8Array(content)]);
    expect((await test.make.upload(await test.make.user("Contributor"), { file })).status).toBe(200);
    await held[Symbol.asyncDispose]();
    const { status, json } = await edit;
    expect([status, json]).toEqual([200, expect.objectContaining({ source: `${site.url}/twice.jpg`, md5 })]);
  });

  it("is refused for a full disk, after which the same edit replaces the file", async () => {
    const post = await posts.plain("tree");
    const content = await jpeg({ seed: 5902 });
    site.pages.set("/later.jpg", serving(content));
    const source = `${site.url}/later.jpg`;
    const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    const spy = vi.spyOn(test.board.storage.temporary, "create").mockRejectedValue(full);
    expect((await posts.edit(post.id, { source }, builder)).status).toBe(503);
    spy.mockRestore();
    expect((await posts.show(post.id)).source).toBe("");
    const md5 = createHash("md5").update(content).digest("hex");
    expect((await posts.edit(post.id, { source }, builder)).json).toMatchObject({ source, md5 });
  });

  it("succeeds once the new file is committed, even if another request locks that file", async () => {
    const post = await posts.plain("tree");
    const content = await jpeg({ seed: 5903 });
    site.pages.set("/locked.jpg", serving(content));
    const md5 = createHash("md5").update(content).digest("hex");
    const held = await holdRow(test.board.databaseUrl, "users", builder.id);
    const edit = posts.edit(post.id, { source: `${site.url}/locked.jpg` }, builder);
    await expect.poll(() => held.waiting()).toBe(1);
    const other = new pg.Client({ connectionString: test.board.databaseUrl });
    await other.connect();
    const locked = other.query(`SELECT pg_advisory_lock(${LOCKS.file}, ('x' || left('${md5}', 8))::bit(32)::int)`);
    await expect.poll(() => held.waiting()).toBe(2);
    await held[Symbol.asyncDispose]();
    await locked;
    const { status, json } = await edit;
    await other.end();
    expect([status, json.md5]).toEqual([200, md5]);
  });

  it("leaves no file if the edit is refused", async () => {
    const post = await posts.plain("tree");
    site.pages.set("/refused.jpg", serving(await jpeg({ seed: 5901 })));
    const edited = { source: `${site.url}/refused.jpg`, tag_string: "order:score" };
    await posts.expectRefusal(
      post.id,
      edited,
      420,
      'tag_string has "order:score", which begins with the meta-tag order',
      builder,
    );
  });
});
