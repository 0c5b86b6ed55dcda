import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import { holdRow, PATIENCE } from "../support/held-table.js";
import { type PostEdits, postEdits } from "../support/post-edits.js";
import { jpeg } from "../support/pictures.js";
import { serving, startSite } from "../support/site.js";
import { gappyVersions, tracesOf } from "../support/traces.js";

let test: TestBoard;
let posts: PostEdits;
let builder: TestUser;
beforeAll(async () => {
  test = await startBoard(PATIENCE);
  posts = await postEdits(test);
  builder = await test.make.user("Builder");
});
afterAll(() => test[Symbol.asyncDispose]());
afterEach(() => posts.expectTrueCounts());

/** The ids of a listing. */
async function find(search: Record<string, string | number>, more: Record<string, string | number> = {}) {
  const { json } = await test.anonymous.get("/post_versions.json", { search, ...more });
  return (json as { id: number }[]).map((version) => version.id);
}

describe("GET /post_versions.json", () => {
  it("has a version for the upload and each edit, with its changes", async () => {
    const parent = await posts.plain("p");
    const post = await posts.plain("a b", { source: "x" });
    await posts.edit(post.id, { tag_string: "b c" });
    await posts.edit(post.id, { rating: "e", source: "y", parent_id: parent.id }, builder);
    await posts.edit(post.id, { tag_string: "a c" });
    const [fourth, third, second, first] = await posts.versions(post.id);
    const rows = [first, second, third, fourth];
    const { uploader } = post;
    const nobody = { rating_changed: false, parent_changed: false, source_changed: false };
    const time = expect.stringMatching(/^\d{4}-.*\.\d{3}\+00:00$/) as string;
    const same = { id: expect.any(Number) as number, post_id: post.id, created_at: time, updated_at: time };
    const by = (user: TestUser) => ({ updater_id: user.id, updater_name: user.name });
    const old = { rating: "s", parent_id: null, source: "x" };
    const now = { rating: "e", parent_id: parent.id, source: "y" };
    expect(rows).toEqual([
      {
        ...same,
        ...by(uploader),
        ...old,
        version: 1,
        tags: "a b",
        added_tags: ["a", "b"],
        removed_tags: [],
        obsolete_added_tags: "b",
        obsolete_removed_tags: "",
        unchanged_tags: "",
        rating_changed: true,
        parent_changed: false,
        source_changed: true,
      },
      {
        ...same,
        ...by(posts.member),
        ...old,
        ...nobody,
        version: 2,
        tags: "b c",
        added_tags: ["c"],
        removed_tags: ["a"],
        obsolete_added_tags: "",
        obsolete_removed_tags: "a",
        unchanged_tags: "b",
      },
      {
        ...same,
        ...by(builder),
        ...now,
        version: 3,
        tags: "b c",
        added_tags: [],
        removed_tags: [],
        obsolete_added_tags: "",
        obsolete_removed_tags: "",
        unchanged_tags: "b c",
        rating_changed: true,
        parent_changed: true,
        source_changed: true,
      },
      {
        ...same,
        ...by(posts.member),
        ...now,
        ...nobody,
        version: 4,
        tags: "a c",
        added_tags: ["a"],
        removed_tags: ["b"],
        obsolete_added_tags: "",
        obsolete_removed_tags: "",
        unchanged_tags: "c",
      },
    ]);
    expect((await test.anonymous.get(`/post_versions/${second.id}.json`)).json).toEqual(second);
    expect((await test.anonymous.get("/post_versions/999999.json")).status).toBe(404);
  });

  it("filters by post, updater and start_id, newest first, in pages", async () => {
    const updater = await test.make.user();
    const [one, two] = [await posts.plain("a"), await posts.plain("a")];
    await posts.edit(one.id, { rating: "e" }, updater);
    await posts.edit(two.id, { rating: "e" }, updater);
    await posts.edit(one.id, { rating: "q" }, updater);
    const [q, e, made] = (await posts.versions(one.id)).map((version) => version.id as number);
    const [other] = (await posts.versions(two.id)).map((version) => version.id as number);
    expect(await find({ post_id: one.id })).toEqual([q, e, made]);
    expect(await find({ updater_id: updater.id })).toEqual([q, other, e]);
    expect(await find({ updater_name: updater.name.toUpperCase() })).toEqual([q, other, e]);
    expect(await find({ updater_id: updater.id, start_id: Number(other) })).toEqual([other, e]);
    expect(await find({ updater_id: updater.id }, { limit: 1, page: 2 })).toEqual([other]);
    expect(await find({ updater_id: updater.id, post_id: two.id })).toEqual([other]);
    expect(await find({ updater_name: "nobody_of_this_name" })).toEqual([]);
    expect(await find({ post_id: 999_999 })).toEqual([]);
  });

  it("is an array of typed elements in XML", async () => {
    const { id } = await posts.plain("a b");
    const { text } = await test.anonymous.get("/post_versions.xml", { search: { post_id: id } });
    expect(text).toContain('<post-versions type="array"><post-version><id type="integer">');
    expect(text).toContain('<added-tags type="array"><added-tag>a</added-tag><added-tag>b</added-tag></added-tags>');
    expect(text).toContain('<removed-tags type="array"/>');
    expect(text).toContain('<rating-changed type="boolean">true</rating-changed>');
  });
});

describe("PUT /posts/{id}/revert.json", () => {
  const revert = (id: number, version_id: number | string | undefined, as = posts.member) =>
    as.client.put(`/posts/${id}/revert.json`, { version_id });

  it("restores tags, rating, source and parent, as a new version", async () => {
    const [parent, other] = [await posts.plain("p"), await posts.plain("p")];
    const made = { rating: "q", source: "first", parent_id: parent.id };
    const { id } = await posts.plain("a b artist:v_alma", made);
    await posts.edit(id, { tag_string: "c", rating: "e", source: "second", parent_id: other.id });
    const first = (await posts.versions(id)).at(-1);
    const { status, json } = await revert(id, first.id);
    const { success, reason, ...post } = json;
    expect([status, success, reason]).toEqual([200, true, ""]);
    expect(post).toEqual(await posts.show(id));
    expect(post).toMatchObject({ ...made, tag_string: "a b v_alma", tag_string_artist: "v_alma" });
    const [latest] = await posts.versions(id);
    expect(latest).toMatchObject({
      version: 3,
      updater_id: posts.member.id,
      added_tags: ["a", "b", "v_alma"],
      removed_tags: ["c"],
      rating_changed: true,
      parent_changed: true,
      source_changed: true,
    });
    const flags = [await posts.show(parent.id), await posts.show(other.id)].map((each) => each.has_children as boolean);
    expect(flags).toEqual([true, false]);
  });

  it("restores a tag whose name the rules for new ones no longer allow", async () => {
    const { id } = await posts.plain("v_nine v_sea");
    await test.board.database.tag.update({ where: { name: "v_nine" }, data: { name: "(9)" } });
    await posts.edit(id, { tag_string: "v_gone" });
    const { status, json } = await revert(id, (await posts.versions(id)).at(-1).id);
    expect([status, json.tag_string]).toEqual([200, "(9) v_sea"]);
  });

  it("to the current state changes nothing and creates no version", async () => {
    const { id } = await posts.plain("a");
    const [only] = await posts.versions(id);
    expect((await revert(id, only.id)).status).toBe(200);
    expect(await posts.versions(id)).toEqual([only]);
  });

  it("clears a parent that no longer exists, and 420 for one that would create a cycle now", async () => {
    const [parent, child] = [await posts.plain("p"), await posts.plain("c")];
    await posts.edit(child.id, { parent_id: parent.id });
    await posts.edit(child.id, { parent_id: "" });
    const [, withParent] = await posts.versions(child.id);
    await posts.edit(parent.id, { parent_id: child.id });
    const reason = "parent would make the post its own ancestor";
    await posts.refused(child.id, () => revert(child.id, withParent.id), 420, reason);
    await posts.edit(parent.id, { parent_id: "" });
    await test.board.database.postVersion.update({ where: { id: withParent.id }, data: { parentId: 999_999 } });
    await posts.edit(child.id, { rating: "e" });
    const { status, json } = await revert(child.id, withParent.id);
    expect([status, json.parent_id, json.rating]).toEqual([200, null, "s"]);
  });

  it("clears a parent that is expunged meanwhile", async () => {
    const [parent, child] = [await posts.plain("p"), await posts.plain("c")];
    await posts.edit(child.id, { parent_id: parent.id });
    await posts.edit(child.id, { parent_id: "" });
    const [, withParent] = await posts.versions(child.id);
    const admin = await test.make.user("Admin");
    const held = await holdRow(test.board.databaseUrl, "posts", parent.id);
    const expunging = admin.client.graphql(`mutation { expungePost(input: { id: ${parent.id} }) { postId } }`);
    await expect.poll(() => held.waiting()).toBe(1);
    const reverting = revert(child.id, withParent.id);
    await expect.poll(() => held.waiting()).toBe(2);
    await held[Symbol.asyncDispose]();
    expect((await expunging).json.data.expungePost).toEqual({ postId: parent.id });
    const { status, json } = await reverting;
    expect([status, json.parent_id]).toEqual([200, null]);
  });

  it("applies aliases and implications again", async () => {
    const { id } = await posts.plain("v_old");
    await posts.edit(id, { tag_string: "other" });
    const names = { antecedentName: "v_old", consequentName: "v_new", status: "active", creatorId: builder.id };
    await test.board.database.tagAlias.create({ data: names });
    expect((await revert(id, (await posts.versions(id)).at(-1).id)).json.tag_string).toBe("v_new");
  });

  it("404 for a version of another post, an unknown version, and an unknown post", async () => {
    const [one, two] = [await posts.plain("a"), await posts.plain("b")];
    const [foreign] = await posts.versions(two.id);
    await posts.refused(one.id, () => revert(one.id, foreign.id), 404, "not found");
    await posts.refused(one.id, () => revert(one.id, 999_999), 404, "not found");
    expect((await revert(999_999, foreign.id)).status).toBe(404);
  });

  it("424 without version_id, 403 for visitors and, of banned posts, below Gold", async () => {
    const { id } = await posts.plain("a");
    const [only] = await posts.versions(id);
    await posts.refused(id, () => revert(id, undefined), 424, "version_id is required");
    await posts.refused(id, () => revert(id, ""), 424, "version_id is required");
    await posts.refused(id, () => revert(id, "first"), 424, "version_id is invalid");
    const visitor = () => test.anonymous.put(`/posts/${id}/revert.json`, { version_id: only.id });
    await posts.refused(id, visitor, 403, "login required");
    await test.board.database.post.update({ where: { id }, data: { isBanned: true } });
    await posts.refused(id, () => revert(id, only.id), 403, "access denied");
  });

  it("422 if the rating is locked and would change; succeeds if it would not", async () => {
    const { id } = await posts.plain("a");
    await posts.edit(id, { tag_string: "b" });
    await posts.edit(id, { rating: "e" });
    await posts.edit(id, { is_rating_locked: "1" }, builder);
    const [now, , first] = await posts.versions(id);
    await posts.refused(id, () => revert(id, first.id, builder), 422, "rating is locked");
    await posts.edit(id, { tag_string: "c" });
    expect((await revert(id, now.id)).json).toMatchObject({ tag_string: "b", rating: "e", is_rating_locked: true });
  });
});

describe("with VERSION_MERGE_MINUTES", () => {
  let merging: TestBoard;
  let edits: PostEdits;
  beforeAll(async () => {
    merging = await startBoard({ VERSION_MERGE_MINUTES: "60" });
    edits = await postEdits(merging);
  });
  afterAll(() => merging[Symbol.asyncDispose]());

  it("merges a user's edits into their last version, with changes relative to the one before", async () => {
    const { id } = await edits.plain("a b");
    const other = await merging.make.user();
    await edits.edit(id, { tag_string: "a b c" });
    const [first] = await edits.versions(id);
    await edits.edit(id, { tag_string: "a c d", rating: "e" });
    await edits.edit(id, { tag_string: "a c" });
    const [second, made] = await edits.versions(id);
    expect([second.id, made.version]).toEqual([first.id, 1]);
    expect(second).toMatchObject({ version: 2, tags: "a c", added_tags: ["c"], removed_tags: ["b"], rating: "e" });
    expect(second.rating_changed).toBe(true);
    await edits.edit(id, { tag_string: "a" }, other);
    await edits.edit(id, { tag_string: "a x" });
    expect((await edits.versions(id)).map((each) => each.version as number)).toEqual([4, 3, 2, 1]);
    expect(await gappyVersions(merging)).toEqual([]);
  });

  it("starts a new one with a revert and after it, so that both states stay in the history", async () => {
    const { id } = await edits.plain("a", {}, edits.member);
    const other = await merging.make.user();
    await edits.edit(id, { tag_string: "b" }, other);
    const [, first] = await edits.versions(id);
    await other.client.put(`/posts/${id}/revert.json`, { version_id: first.id });
    const versions = await edits.versions(id);
    expect(versions.map(({ version, tags }) => [version, tags])).toEqual([
      [3, "a"],
      [2, "b"],
      [1, "a"],
    ]);
    await edits.edit(id, { tag_string: "c" }, other);
    await edits.edit(id, { tag_string: "d" }, other);
    const later = await edits.versions(id);
    expect(later.map(({ version, tags }) => [version, tags])).toEqual([
      [4, "d"],
      [3, "a"],
      [2, "b"],
      [1, "a"],
    ]);
  });

  it("starts a new one after a revert to a state that no earlier version has, as with an alias made since", async () => {
    const { id } = await edits.plain("a", {}, edits.member);
    const other = await merging.make.user();
    const [first] = await edits.versions(id);
    await edits.edit(id, { tag_string: "r_old" }, edits.member);
    await edits.edit(id, { tag_string: "c" }, other);
    const names = { antecedentName: "r_old", consequentName: "r_new", status: "active", creatorId: other.id };
    await merging.board.database.tagAlias.create({ data: names });
    await other.client.put(`/posts/${id}/revert.json`, { version_id: first.id });
    await edits.edit(id, { tag_string: "d" }, other);
    expect((await edits.versions(id)).map(({ version, tags }) => [version, tags])).toEqual([
      [4, "d"],
      [3, "r_new"],
      [2, "c"],
      [1, "r_old"],
    ]);
  });

  it("starts a new one with each new file, so that every file keeps a version", async () => {
    await using site = await startSite();
    await using downloading = await startBoard({ VERSION_MERGE_MINUTES: "60", SOURCE_ALLOW_HOSTS: site.host });
    const { plain, member, edit, versions } = await postEdits(downloading);
    const { id } = await plain("a", {}, member);
    for (const name of ["one", "two"]) {
      site.pages.set(`/${name}.jpg`, serving(await jpeg({ width: 600, height: 600, seed: name.charCodeAt(0) + 6100 })));
      await edit(id, { source: `${site.url}/${name}.jpg` });
      await edit(id, { tag_string: name });
    }
    expect((await versions(id)).map(({ version, tags }) => [version, tags])).toEqual([
      [3, "two"],
      [2, "one"],
      [1, "a"],
    ]);
    expect(await downloading.board.database.mediaFile.count()).toBe(3);
  });

  it("starts a new one after that time", async () => {
    const { id } = await edits.plain("a");
    await edits.edit(id, { tag_string: "b" });
    await merging.board.database.execute(sql`
      UPDATE post_versions SET updated_at = now() - interval '61 minutes' WHERE post_id = ${id}`);
    await edits.edit(id, { tag_string: "c" });
    expect((await edits.versions(id)).map((each) => each.tags as string)).toEqual(["c", "b", "a"]);
  });

  it("counts every edit of the user", async () => {
    const { updateCounts } = (await tracesOf(merging)) as unknown as { updateCounts: number };
    const { id } = await edits.plain("a");
    await edits.edit(id, { tag_string: "b" });
    await edits.edit(id, { tag_string: "c" });
    expect(await tracesOf(merging)).toMatchObject({ updateCounts: updateCounts + 3 });
  });
});
