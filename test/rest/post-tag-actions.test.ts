/** Meta-tags of a tag string that act once the post is saved: pools, favorites, votes and children. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { type PostEdits, postEdits } from "../support/post-edits.js";

let test: TestBoard;
let posts: PostEdits;
let other: TestUser;
beforeAll(async () => {
  test = await startBoard();
  posts = await postEdits(test);
  other = await test.make.user();
});
afterAll(() => test[Symbol.asyncDispose]());

/** The counters of favorites, votes, children, edits and tags are what their rows say. */
async function expectTrueCounters() {
  const wrong = await test.board.database.query(sql`
    SELECT id FROM posts p
     WHERE fav_count <> (SELECT count(*) FROM favorites f WHERE f.post_id = p.id)
        OR score <> (SELECT COALESCE(sum(v.score), 0) FROM post_votes v WHERE v.post_id = p.id)
        OR has_children <> EXISTS (SELECT FROM posts c WHERE c.parent_id = p.id)
    UNION ALL
    SELECT id FROM users u
     WHERE favorite_count <> (SELECT count(*) FROM favorites f WHERE f.user_id = u.id)
        OR post_update_count <> (SELECT count(*) FROM post_versions v WHERE v.updater_id = u.id)`);
  expect(wrong).toEqual([]);
  await posts.expectTrueCounts();
}
afterEach(expectTrueCounters);

let serial = 0;
const makePool = async (attributes: Params = {}): Promise<{ id: number; name: string }> => {
  const pool = { name: `Pool_of_tags_${(serial += 1)}`, description: "x", ...attributes };
  return (await posts.member.client.post("/pools.json", { pool })).json;
};
const pool = async (id: number) => (await test.anonymous.get(`/pools/${id}.json`)).json;
const poolVersions = async (id: number) =>
  (await test.anonymous.get("/pool_versions.json", { search: { pool_id: id } })).json as Params[];
const poolNamed = async (name: string) =>
  (await test.anonymous.get("/pools.json", { search: { name } })).json[0] as Params | undefined;
const type = async (id: number, text: string, as = posts.member) => {
  const { status, json } = await posts.edit(id, { tag_string: `tree ${text}` }, as);
  expect([status, json.reason, json.tag_string]).toEqual([200, "", "tree"]);
  return json;
};

describe("pool: and -pool:", () => {
  it("add the post at the end, by id or name, and remove it, each with a version of the pool", async () => {
    const [first, second] = [await posts.plain("tree"), await posts.plain("tree")];
    const [one, two] = [await makePool({ post_ids: String(first.id) }), await makePool()];
    const edited = await type(second.id, `pool:${one.id} POOL:${two.name.toUpperCase()} pool:${one.id}`);
    expect(edited.pool_string).toBe(`pool:${one.id} pool:${two.id}`);
    expect((await pool(one.id)).post_ids).toEqual([first.id, second.id]);
    expect(await poolVersions(one.id)).toMatchObject([
      { version: 2, updater_id: posts.member.id, added_post_ids: [second.id], removed_post_ids: [] },
      { version: 1 },
    ]);
    await type(second.id, `pool:${one.id}`);
    expect((await poolVersions(one.id)).length).toBe(2);
    expect((await type(second.id, `-pool:${one.name} -pool:${two.id}`)).pool_string).toBe("");
    expect((await pool(one.id)).post_ids).toEqual([first.id]);
    expect((await posts.versions(second.id)).length).toBe(1);
  });

  it("-pool: removes every position; pool:none removes the post from all pools except deleted ones", async () => {
    const [{ id }, { id: stays }] = [await posts.plain("tree"), await posts.plain("tree")];
    const [one, two, gone] = [
      await makePool({ post_ids: [id, stays, id] }),
      await makePool({ post_ids: String(id) }),
      await makePool({ post_ids: String(id) }),
    ];
    await type(id, `-pool:${one.id}`);
    expect((await pool(one.id)).post_ids).toEqual([stays]);
    await test.board.database.pool.update({ where: { id: gone.id }, data: { isDeleted: true } });
    await type(id, `pool:none pool:${one.id}`);
    expect([(await pool(one.id)).post_ids, (await pool(two.id)).post_ids]).toEqual([[stays, id], []]);
    expect((await pool(gone.id)).post_ids).toEqual([id]);
  });

  it("ignore unknown and deleted pools", async () => {
    const { id } = await posts.plain("tree");
    const gone = await makePool();
    await test.board.database.pool.update({ where: { id: gone.id }, data: { isDeleted: true } });
    const words = `pool:999999 -pool:99999999999 pool:nothing_like_it pool:any -pool:x pool:${gone.id} newpool:${gone.name}`;
    expect((await type(id, words)).pool_string).toBe("");
    expect((await poolVersions(gone.id)).length).toBe(1);
  });

  it("do nothing if the edit is refused", async () => {
    const { id } = await posts.plain("tree");
    const { id: one } = await makePool();
    await posts.expectRefusal(
      id,
      { tag_string: `tree pool:${one} order:x` },
      420,
      'tag_string has "order:x", which begins with the meta-tag order',
    );
    await posts.expectRefusal(
      id,
      { tag_string: `sky pool:${one} fav:me upvote:me newpool:never_made child:${id}` },
      420,
      `tag_string has "child:${id}", which can't be the post itself`,
    );
    expect([(await pool(one)).post_ids, await poolNamed("never_made")]).toEqual([[], undefined]);
    expect(await test.board.database.favorite.count({ where: { postId: id } })).toBe(0);
  });
});

describe("a pool whose name has quotes at both ends", () => {
  it("is named as it is suggested, in quotes with a backslash before its own", async () => {
    const { id: one } = await makePool({ name: '"Quoted"' });
    const search = { query: 'pool:"quo', type: "tag" };
    const [{ value }] = (await test.anonymous.get("/autocomplete.json", { search })).json;
    expect(value).toBe(String.raw`pool:"\"Quoted\""`);
    const { id } = await posts.plain("tree");
    expect((await type(id, value)).pool_string).toBe(`pool:${one}`);
    expect((await type(id, `-${value}`)).pool_string).toBe("");
    await type(id, value.replace("pool", "newpool"));
    expect((await pool(one)).post_ids).toEqual([id]);
  });
});

describe("newpool:", () => {
  it("creates the pool with the post, or adds to an existing one of this name", async () => {
    const [first, second] = [await posts.plain("tree"), await posts.plain("tree")];
    await type(first.id, "newpool:The_New_One");
    const made = await poolNamed("the new one");
    expect(made).toMatchObject({ name: "The_New_One", category: "series", creator_id: posts.member.id, post_count: 1 });
    expect((await poolVersions(made?.id as number)).length).toBe(1);
    await type(second.id, "newpool:the_new_one", other);
    expect((await pool(made?.id as number)).post_ids).toEqual([first.id, second.id]);
  });

  it("takes a name with blanks in quotes, as pool: does", async () => {
    const { id } = await posts.plain("tree");
    const made = await type(id, 'tree newpool:"A Quoted  Name"');
    expect([made.tag_string, (await poolNamed("a quoted name"))?.name]).toEqual(["tree", "A_Quoted_Name"]);
    expect((await type(id, 'tree -pool:"a quoted name"')).pool_string).toBe("");
    expect((await type(id, 'tree pool:"a quoted name"')).pool_string).not.toBe("");
  });

  it("creates one pool for concurrent edits", async () => {
    const made = [await posts.plain("tree"), await posts.plain("tree"), await posts.plain("tree")];
    await Promise.all(made.map(({ id }) => type(id, "newpool:made_at_once")));
    const ids = (await poolNamed("made_at_once"))?.post_ids as number[];
    expect([...ids].sort()).toEqual(made.map(({ id }) => id).sort());
  });

  it("420 for an invalid pool name", async () => {
    const SERIES = 'tag_string has "newpool:series", which is a reserved word';
    const NUMBER = 'tag_string has "newpool:999999", which is invalid';
    const { id } = await posts.plain("tree");
    await posts.expectRefusal(id, { tag_string: "sky newpool:series" }, 420, SERIES);
    await posts.expectRefusal(id, { tag_string: "sky newpool:999999" }, 420, NUMBER);
    for (const [blank, shown] of [
      ["newpool:", "newpool:"],
      ['newpool:""', 'newpool:""'],
      ['newpool:"  "', 'newpool:"_"'],
      ['pool:" "', 'pool:"_"'],
    ] as const) {
      const reason = `tag_string has "${shown}", which begins with the meta-tag ${shown.split(":", 1)[0]}`;
      await posts.expectRefusal(id, { tag_string: `sky ${blank}` }, 420, reason);
    }
  });
});

describe("fav: and -fav:", () => {
  it("are the editor's favorites, counted once, without versions or votes", async () => {
    const { id } = await posts.plain("tree");
    const favorites = async (user: TestUser) =>
      (await test.board.database.user.findUniqueOrThrow({ where: { id: user.id } })).favoriteCount;
    const before = await favorites(other);
    expect((await type(id, "fav:me", other)).fav_count).toBe(1);
    expect(await type(id, "fav:anything", other)).toMatchObject({ fav_count: 1, score: 0 });
    expect((await type(id, "fav:me")).fav_count).toBe(2);
    expect(await favorites(other)).toBe(before + 1);
    expect((await type(id, "-fav:me", other)).fav_count).toBe(1);
    expect((await type(id, "-fav:me", other)).fav_count).toBe(1);
    expect([await favorites(other), (await posts.versions(id)).length]).toEqual([before, 1]);
  });
});

describe("upvote: and downvote:", () => {
  it("vote as the editor, replacing an earlier vote", async () => {
    const { id } = await posts.plain("tree");
    expect(await type(id, "upvote:me")).toMatchObject({ score: 1, up_score: 1, down_score: 0 });
    expect(await type(id, "upvote:me")).toMatchObject({ score: 1 });
    expect(await type(id, "downvote:me")).toMatchObject({ score: -1, up_score: 0, down_score: -1 });
    expect(await type(id, "upvote:me", other)).toMatchObject({ score: 0, up_score: 1, down_score: -1 });
  });
});

describe("child:, -child: and child:none", () => {
  const parentOf = async (id: number) => (await posts.show(id)).parent_id as number | null;

  it("add and remove children, each with a version of the child", async () => {
    const [parent, one, two, three] = [
      await posts.plain("tree"),
      await posts.plain("sky"),
      await posts.plain("sky"),
      await posts.plain("sky"),
    ];
    const edited = await type(parent.id, `child:${one.id},${two.id} child:${three.id} child:999999`);
    expect(edited).toMatchObject({ children_ids: `${one.id} ${two.id} ${three.id}`, has_active_children: true });
    const [version] = await posts.versions(one.id);
    expect(version).toMatchObject({
      version: 2,
      parent_id: parent.id,
      parent_changed: true,
      updater_id: posts.member.id,
    });
    await type(parent.id, `-child:${one.id} child:${two.id}`);
    expect([await parentOf(one.id), (await posts.versions(two.id)).length]).toEqual([null, 2]);
    await type(one.id, `child:${two.id}`);
    await type(parent.id, `-child:${two.id}`);
    expect(await parentOf(two.id)).toBe(one.id);
    expect((await type(parent.id, "child:none")).children_ids).toBeNull();
    expect([await parentOf(two.id), await parentOf(three.id)]).toEqual([one.id, null]);
  });

  it("420 for a cycle, 403 for a banned child below Gold", async () => {
    const [parent, child] = [await posts.plain("tree"), await posts.plain("tree")];
    await type(parent.id, `child:${child.id}`);
    const cycle = { tag_string: `sky child:${parent.id}` };
    const problem = "which would make the post its own ancestor";
    await posts.expectRefusal(child.id, cycle, 420, `tag_string has "child:${parent.id}", ${problem}`);
    await test.board.database.post.update({ where: { id: child.id }, data: { isBanned: true } });
    await posts.expectRefusal(parent.id, { tag_string: "sky child:none" }, 403, "access denied");
    expect((await type(parent.id, "child:none", await test.make.user("Gold"))).children_ids).toBeNull();
  });

  it("two concurrent edits that make each other's post a child don't both succeed", async () => {
    const [one, two] = [await posts.plain("tree"), await posts.plain("tree")];
    const answers = await Promise.all([
      posts.edit(one.id, { tag_string: `tree child:${two.id}` }),
      posts.edit(two.id, { tag_string: `tree child:${one.id}` }, other),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 420]);
  });
});

describe("of an upload", () => {
  it("act on the new post, in its transaction", async () => {
    const [{ id: pooled }, child] = [await makePool(), await posts.plain("tree")];
    const tags = `tree pool:${pooled} newpool:of_an_upload fav:me upvote:me child:${child.id}`;
    const { id } = await posts.plain(tags, {}, other);
    expect(await posts.show(id)).toMatchObject({
      tag_string: "tree",
      fav_count: 1,
      score: 1,
      children_ids: String(child.id),
    });
    expect([(await pool(pooled)).post_ids, (await poolNamed("of_an_upload"))?.post_ids]).toEqual([[id], [id]]);
  });

  it("leave nothing if it fails", async () => {
    const { id: pooled } = await makePool();
    const before = await test.board.database.post.count();
    const { status, json } = await test.make.upload(other, { tag_string: `tree pool:${pooled} newpool:any` });
    expect([status, json.reason]).toEqual([420, 'tag_string has "newpool:any", which is a reserved word']);
    expect([(await pool(pooled)).post_ids, await test.board.database.post.count()]).toEqual([[], before]);
  });
});
