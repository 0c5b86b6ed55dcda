/** Concurrent requests that decide about the same record: one has an effect, the others get the corresponding error. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { type Held, holdRow, PATIENCE } from "../support/held-table.js";
import { approve, type Kind, statusOf, tagsOf } from "../support/jobs.js";
import { deadlocksOf, gappyVersions, wrongCounts, wrongTagCounts } from "../support/traces.js";

let test: TestBoard;
let admins: TestUser[];
let member: TestUser;
beforeAll(async () => {
  test = await startBoard({ ...PATIENCE, JOBS: "true" });
  admins = await Promise.all(Array.from({ length: 4 }, () => test.make.user("Admin")));
  member = await test.make.user();
});
afterAll(() => test[Symbol.asyncDispose]());

afterEach(expectTruth);

/** Whatever was done at once: no failure of the board, no deadlock, and all counts and versions are exact. */
async function expectTruth(): Promise<void> {
  expect([await wrongCounts(test), await wrongTagCounts(test), await gappyVersions(test)]).toEqual([[], [], []]);
  expect(await wrongFlags()).toEqual([]);
  expect(test.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  expect(await deadlocksOf(test)).toBe(0);
}

/** Posts that are flagged without a flag that is open, or the reverse. */
const wrongFlags = () =>
  test.board.database.query<object>(sql`
    SELECT id FROM posts p WHERE NOT is_deleted AND is_flagged <> EXISTS (
      SELECT FROM post_flags f WHERE f.post_id = p.id AND NOT is_deletion AND NOT is_resolved)`);

/** A mutation; its answer has the status that REST would give it. */
const mutate = async ({ client }: TestUser, mutation: string): Promise<Answer> => {
  const answer = await client.graphql(`mutation { ${mutation} { __typename } }`);
  return { ...answer, status: answer.json.errors?.[0].extensions.status ?? answer.status };
};

/** Locks a row when all jobs that are due are done: one that waits for a lock would count as a request that waits for the row. */
async function hold(table: string, id: number): Promise<Held> {
  const due = sql`SELECT task_identifier FROM graphile_worker.jobs WHERE run_at <= now()`;
  await expect.poll(() => test.board.database.query(due)).toEqual([]);
  return holdRow(test.board.databaseUrl, table, id);
}

/** The statuses of requests that wait for a row, in this order, before the first of them goes on. */
async function atOnce(table: string, id: number, requests: (() => Promise<Answer>)[]): Promise<number[]> {
  await using held = await hold(table, id);
  const answers: Promise<Answer>[] = [];
  for (const request of requests) {
    answers.push(request());
    await expect.poll(() => held.waiting(), { timeout: 15_000 }).toBe(answers.length);
  }
  await held[Symbol.asyncDispose]();
  return (await Promise.all(answers)).map(({ status }) => status).sort((a, b) => a - b);
}

const admin = (index: number): TestUser => admins[index] as TestUser;
const flag = (by: TestUser, post_id: number) => () =>
  by.client.post("/post_flags.json", { post_flag: { post_id, reason: "x" } });
const appeal = (by: TestUser, post_id: number) => () =>
  by.client.post("/post_appeals.json", { post_appeal: { post_id, reason: "x" } });
const moderate =
  (by: TestUser, verb: string, id: number, more = "") =>
  () =>
    mutate(by, `${verb}Post(input: { id: ${id}${more} })`);
const erase = (by: TestUser, id: number) => moderate(by, "delete", id, ', reason: "x"');
const actionsOn = async (subjectType: string, subjectId: number): Promise<string[]> => {
  const rows = await test.board.database.modAction.findMany({
    where: { subjectType, subjectId },
    orderBy: { id: "asc" },
  });
  return rows.map(({ category }) => category);
};
const approvals = (postId: number) => test.board.database.postApproval.count({ where: { postId } });
const pending = async (): Promise<number> => (await test.make.post("x", {}, await test.make.user())).id;
const deleted = async (): Promise<number> => {
  const { id } = await test.make.post();
  expect((await erase(admin(0), id)()).status).toBe(200);
  return id;
};

describe("concurrent decisions about a post", () => {
  it.each([
    ["by one user", () => admin(0)],
    ["by two", () => admin(1)],
  ])("approvals %s", async (_, second) => {
    const id = await pending();
    expect(await atOnce("posts", id, [moderate(admin(0), "approve", id), moderate(second(), "approve", id)])).toEqual([
      200, 420,
    ]);
    expect([await actionsOn("Post", id), await approvals(id)]).toEqual([["post_approve"], 1]);
  });

  it("undelete it once, also with approvals", async () => {
    const id = await deleted();
    const requests = [
      moderate(admin(0), "undelete", id),
      moderate(admin(1), "undelete", id),
      moderate(admin(2), "approve", id),
    ];
    expect(await atOnce("posts", id, requests)).toEqual([200, 420, 420]);
    expect([await actionsOn("Post", id), await approvals(id)]).toEqual([["post_delete", "post_undelete"], 1]);
  });

  it("deletions", async () => {
    const { id } = await test.make.post();
    expect(await atOnce("posts", id, [erase(admin(0), id), erase(admin(1), id)])).toEqual([200, 420]);
    expect(await actionsOn("Post", id)).toEqual(["post_delete"]);
    expect(await test.board.database.postFlag.count({ where: { postId: id } })).toBe(1);
  });

  it("bans", async () => {
    const { id } = await test.make.post();
    expect(await atOnce("posts", id, [moderate(admin(0), "ban", id), moderate(admin(1), "ban", id)])).toEqual([
      200, 420,
    ]);
    expect(await actionsOn("Post", id)).toEqual(["post_ban"]);
  });

  it("flags of one user", async () => {
    const { id } = await test.make.post();
    expect(await atOnce("posts", id, [flag(member, id), flag(member, id)])).toEqual([200, 423]);
    expect(await test.board.database.postFlag.count({ where: { postId: id } })).toBe(1);
  });

  it("appeals of one user", async () => {
    const id = await deleted();
    expect(await atOnce("posts", id, [appeal(member, id), appeal(member, id)])).toEqual([200, 423]);
    expect(await test.board.database.postAppeal.count({ where: { postId: id } })).toBe(1);
  });

  it("flags, appeals, approvals and deletions of many", async () => {
    const { id } = await test.make.post();
    const users = await Promise.all(Array.from({ length: 4 }, () => test.make.user()));
    const requests = users.flatMap((user, index) => [
      flag(user, id),
      appeal(user, id),
      moderate(admin(index), "approve", id),
      erase(admin(index), id),
      moderate(admin(index), "undelete", id),
    ]);
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all(requests.map((request) => request()));
      expect(answers.filter(({ status }) => ![200, 420, 423].includes(status))).toEqual([]);
    }
  });
});

describe("concurrent writes to an account", () => {
  it.each([
    ["renamed", (name: string) => test.board.accountAdmin.rename(name, `${name}_renamed`)],
    ["closed", (name: string) => test.board.accountAdmin.close(name)],
  ])("is %s, and changes the category of a tag", async (_, change) => {
    const user = await test.make.user("Contributor");
    const { id } = await test.make.post(`category_${user.id}`);
    const edit = { tag_string: `artist:category_${user.id} another` };
    await using held = await hold("users", user.id);
    const changed = change(user.name);
    await expect.poll(() => held.waiting(), { timeout: 15_000 }).toBe(1);
    const edited = user.client.put(`/posts/${id}.json`, { post: edit });
    await expect.poll(() => held.waiting(), { timeout: 15_000 }).toBe(2);
    await held[Symbol.asyncDispose]();
    expect([(await changed).id, (await edited).status]).toEqual([user.id, 200]);
  });
});

describe("concurrent writes to an account that wait for it", () => {
  it("change its password and recover it", async () => {
    const user = await test.make.user();
    const { token } = await test.board.accountAdmin.makeRecovery(user.name);
    const passwords = { old_password: user.password, password: "quite another one" };
    const requests = [
      () => user.client.put(`/users/${user.id}/password.json`, { user: passwords }),
      () => test.anonymous.post("/users/recover.json", { user: { token, password: "a recovered one" } }),
    ];
    expect(await atOnce("users", user.id, requests)).toEqual([200, 403]);
  });

  it("close it, and expunge its post, whose child an Admin edits thereby", async () => {
    const user = await test.make.user();
    const { id } = await test.make.post("x", {}, user);
    const child = await test.make.post();
    await admin(0).client.put(`/posts/${child.id}.json`, { post: { parent_id: id } });
    const requests = [
      () => mutate(user, `closeAccount(input: { password: "${user.password}" })`),
      moderate(admin(0), "expunge", id),
    ];
    expect(await atOnce("users", user.id, requests)).toEqual([200, 200]);
  });
});

describe("concurrent writes that need the same name", () => {
  const newPool = (name: string, id: number) => () =>
    admin(0).client.post("/pools.json", { pool: { name, description: "x", post_ids: String(id) } });
  const renamedPool = async (name: string, id: number) => {
    const { json } = await admin(0).client.post("/pools.json", { pool: { name: `not_${name}`, description: "x" } });
    return () => admin(0).client.put(`/pools/${json.id}.json`, { pool: { name, post_ids: String(id) } });
  };

  it.each([
    ["create", (name: string, id: number) => Promise.resolve(newPool(name, id))],
    ["rename", renamedPool],
  ])("%s a pool with a post, and put the post into a new pool of this name", async (verb, prepare) => {
    const { id } = await test.make.post();
    const name = `${verb}_of_${id}`;
    const request = await prepare(name, id);
    const edit = () => admin(1).client.put(`/posts/${id}.json`, { post: { tag_string: `x newpool:${name}` } });
    expect(await atOnce("posts", id, [request, edit])).toEqual([200, 200]);
    expect((await test.anonymous.get("/pools.json", { search: { name } })).json).toMatchObject([{ post_ids: [id] }]);
  });

  it("rename an artist, and create one", async () => {
    const { json } = await admin(0).client.post("/artists.json", { artist: { name: "not_claimed" } });
    const tag = await test.board.database.tag.create({ data: { name: "claimed" } });
    const requests = [
      () => admin(0).client.put(`/artists/${json.id}.json`, { artist: { name: "claimed" } }),
      () => admin(1).client.post("/artists.json", { artist: { name: "claimed" } }),
    ];
    expect(await atOnce("tags", tag.id, requests)).toEqual([200, 423]);
  });
});

describe("concurrent writes to a post", () => {
  it("is expunged, and put into a pool", async () => {
    const { id } = await test.make.post();
    const { json } = await admin(0).client.post("/pools.json", { pool: { name: `of_${id}`, description: "x" } });
    const put = () => admin(1).client.put(`/pools/${json.id}.json`, { pool: { post_ids: String(id) } });
    expect(await atOnce("posts", id, [moderate(admin(0), "expunge", id), put])).toEqual([200, 420]);
    expect((await test.anonymous.get(`/pools/${json.id}.json`)).json.post_ids).toEqual([]);
  });

  it("is expunged while a pool that gets it waits for another post", async () => {
    const [first, second] = [await test.make.post(), await test.make.post()];
    const { json } = await admin(0).client.post("/pools.json", { pool: { name: `of_${first.id}`, description: "x" } });
    await using held = await hold("posts", first.id);
    const pool = { post_ids: `${first.id} ${second.id}` };
    const put = admin(1).client.put(`/pools/${json.id}.json`, { pool });
    await expect.poll(() => held.waiting(), { timeout: 15_000 }).toBe(1);
    expect((await moderate(admin(0), "expunge", second.id)()).status).toBe(200);
    await held[Symbol.asyncDispose]();
    expect((await put).status).toBe(420);
  });

  it("is expunged while its thumbnails are made", async () => {
    const { database, thumbnails } = test.board;
    const { id } = await test.make.post();
    await database.mediaFile.updateMany({ where: { post: { id } }, data: { placeholder: "" } });
    await using held = await hold("posts", id);
    const expunged = moderate(admin(0), "expunge", id)();
    await expect.poll(() => held.waiting(), { timeout: 15_000 }).toBe(1);
    const made = thumbnails.regenerate({ from: id, to: id });
    await expect.poll(() => held.waiting(), { timeout: 15_000 }).toBe(2);
    await held[Symbol.asyncDispose]();
    expect([(await expunged).status, await made]).toEqual([200, { posts: 1, failed: 0, failedIds: [] }]);
  });

  it("is expunged, and put into a pool that an edit of parents waits for", async () => {
    const [{ id }, other, parent] = [await test.make.post(), await test.make.post(), await test.make.post()];
    const { json } = await admin(0).client.post("/pools.json", { pool: { name: `with_${id}`, description: "x" } });
    const edit = { tag_string: `tree pool:${json.id}`, parent_id: parent.id };
    const requests = [
      () => admin(1).client.put(`/pools/${json.id}.json`, { pool: { post_ids: String(id) } }),
      moderate(admin(0), "expunge", id),
      () => admin(2).client.put(`/posts/${other.id}.json`, { post: edit }),
    ];
    expect(await atOnce("posts", id, requests)).toEqual([200, 200, 200]);
    expect((await test.anonymous.get(`/pools/${json.id}.json`)).json.post_ids).toEqual([other.id]);
  });
});

describe("a write that waits for another write of the post", () => {
  const banFirst = async (id: number) => {
    const { json } = await admin(0).client.post("/artists.json", { artist: { name: `artist_of_${id}` } });
    return () => admin(0).client.put(`/artists/${json.id}/ban.json`);
  };
  const expungeParent = async (id: number) => {
    const parent = await test.make.post();
    await admin(0).client.put(`/posts/${id}.json`, { post: { parent_id: parent.id } });
    return moderate(admin(0), "expunge", parent.id);
  };
  const edit = (id: number) => () => admin(0).client.put(`/posts/${id}.json`, { post: { tag_string: "other" } });

  it.each([
    ["a deletion", (id: number) => erase(admin(0), id)],
    ["a ban of the artist", banFirst],
    ["an expunging of the parent", expungeParent],
    ["an edit", edit],
  ])("has the time at the end of the wait: %s", async (_, prepare) => {
    const { id } = await test.make.post();
    await admin(1).client.put(`/posts/${id}.json`, { post: { tag_string: `artist_of_${id}` } });
    const request = await prepare(id);
    const { database } = test.board;
    const versions = await database.postVersion.count({ where: { postId: id } });
    await using held = await hold("posts", id);
    const answer = request();
    await expect.poll(() => held.waiting(), { timeout: 15_000 }).toBe(1);
    const released = new Date();
    await held[Symbol.asyncDispose]();
    expect((await answer).status).toBe(200);
    const post = await database.post.findUniqueOrThrow({ where: { id } });
    const last = await database.postVersion.findFirstOrThrow({ where: { postId: id }, orderBy: { version: "desc" } });
    const times = [post.updatedAt, ...(last.version > versions ? [last.createdAt, last.updatedAt] : [])];
    expect(times.filter((time) => time < released)).toEqual([]);
  });
});

describe("concurrent bans", () => {
  const ban =
    (by: TestUser, { id }: TestUser) =>
    () =>
      mutate(by, `banUser(input: { userId: ${id}, reason: "x" })`);
  const unban =
    (by: TestUser, { id }: TestUser) =>
    () =>
      mutate(by, `unbanUser(input: { userId: ${id} })`);

  it("ban a user once, with one feedback", async () => {
    const user = await test.make.user();
    expect(await atOnce("users", user.id, [ban(admin(0), user), ban(admin(1), user)])).toEqual([200, 423]);
    const where = { userId: user.id };
    const { ban: bans, userFeedback } = test.board.database;
    expect([
      await bans.count({ where }),
      await userFeedback.count({ where }),
      await actionsOn("User", user.id),
    ]).toEqual([1, 1, ["user_ban"]]);
    expect(await atOnce("users", user.id, [unban(admin(0), user), unban(admin(1), user)])).toEqual([200, 420]);
    expect(await actionsOn("User", user.id)).toEqual(["user_ban", "user_unban"]);
  });

  it("ban users who ban each other's subordinates, without waiting for each other", async () => {
    const [first, second] = [await test.make.user("Moderator"), await test.make.user("Moderator")];
    const users = await Promise.all(Array.from({ length: 4 }, () => test.make.user()));
    const requests = [
      ban(admin(0), first),
      ban(admin(1), second),
      ...users.flatMap((user) => [ban(first, user), ban(second, user), unban(first, user)]),
    ];
    const answers = await Promise.all(requests.map((request) => request()));
    expect(answers.filter(({ status }) => ![200, 403, 420, 423].includes(status))).toEqual([]);
  });

  it("ban the first artist, while a post is given the tag banned_artist", async () => {
    const { json } = await admin(0).client.post("/artists.json", { artist: { name: "first" } });
    const { id } = await test.make.post("first");
    const edit = () => admin(1).client.put(`/posts/${id}.json`, { post: { tag_string: "first banned_artist" } });
    expect(await atOnce("posts", id, [edit, () => admin(0).client.put(`/artists/${json.id}/ban.json`)])).toEqual([
      200, 200,
    ]);
  });

  it("move with the name of the artist, beside an edit that changes the category of a tag", async () => {
    const { json } = await admin(0).client.post("/artists.json", { artist: { name: "old_name" } });
    await test.make.post("old_name new_name other_name");
    const { id } = await test.make.post();
    await admin(0).client.put(`/artists/${json.id}/ban.json`);
    const { id: tagId } = await test.board.database.tag.findUniqueOrThrow({ where: { name: "banned_artist" } });
    const edit = { tag_string: "banned_artist char:other_name" };
    const requests = [
      () => admin(1).client.put(`/posts/${id}.json`, { post: edit }),
      () => admin(2).client.put(`/artists/${json.id}.json`, { artist: { name: "new_name" } }),
    ];
    expect(await atOnce("tags", tagId, requests)).toEqual([200, 200]);
  });

  it("ban an artist once, while the posts are edited", async () => {
    for (let round = 0; round < 2; round += 1) {
      const name = `artist_${round}`;
      const { json } = await admin(0).client.post("/artists.json", { artist: { name } });
      const posts = await Promise.all(
        Array.from({ length: 4 }, () => test.make.post(`${name} banned_artist_${round}`)),
      );
      const put = (by: TestUser, verb: string) => () => by.client.put(`/artists/${json.id}/${verb}.json`);
      expect(
        await atOnce("artists", json.id, [put(admin(0), "ban"), put(admin(1), "ban"), put(admin(2), "ban")]),
      ).toEqual([200, 200, 200]);
      expect(await actionsOn("Artist", json.id)).toEqual(["artist_ban"]);
      expect(await test.board.database.tagImplication.count({ where: { antecedentName: name } })).toBe(1);
      const answers = await Promise.all([
        ...admins.map((by, index) => put(by, index % 2 === 0 ? "unban" : "ban")()),
        ...posts.flatMap(({ id }, index) =>
          [0, 1].map((turn) =>
            admin(turn).client.put(`/posts/${id}.json`, {
              post: {
                tag_string: `${name} new_${round} more_${(index + turn) % 3} ${turn === 0 ? "banned_artist" : ""}`,
              },
            }),
          ),
        ),
      ]);
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    }
  });

  it("ban and unban two artists of the same posts", async () => {
    const ids = await Promise.all(
      ["left", "right"].map(
        async (name) => (await admin(0).client.post("/artists.json", { artist: { name } })).json.id as number,
      ),
    );
    const posts = await Promise.all(
      Array.from({ length: 6 }, (_, index) => test.make.post(index % 2 ? "left right" : "right")),
    );
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all([
        ...ids.map((id) => admin(0).client.put(`/artists/${id}/ban.json`)),
        ...ids.map((id) => admin(1).client.put(`/artists/${id}/unban.json`)),
        ...posts.map(({ id }) =>
          admin(2).client.put(`/posts/${id}.json`, { post: { tag_string: `left right tag_${id % 2}` } }),
        ),
        ...posts.map(({ id }) => moderate(admin(3), "ban", id)()),
      ]);
      expect(answers.filter(({ status }) => ![200, 420].includes(status))).toEqual([]);
    }
  });
});

describe("concurrent deletions", () => {
  const made = async (path: string, params: Params): Promise<number> => {
    const { status, json } = await admin(3).client.post(`/${path}.json`, params);
    expect([path, status]).toEqual([path, 200]);
    return json.id as number;
  };
  const post = async () => (await test.make.post()).id;

  it.each<[string, string, () => Promise<Params>]>([
    ["comments", "Comment", async () => ({ comment: { post_id: await post(), body: "x" } })],
    [
      "forum_topics",
      "ForumTopic",
      () => Promise.resolve({ forum_topic: { title: "x", original_post_attributes: { body: "x" } } }),
    ],
    ["pools", "Pool", () => Promise.resolve({ pool: { name: "at_once", description: "x" } })],
    ["artists", "Artist", () => Promise.resolve({ artist: { name: "at_once" } })],
    ["notes", "Note", async () => ({ note: { post_id: await post(), x: 1, y: 1, width: 5, height: 5, body: "x" } })],
    ["wiki_pages", "WikiPage", () => Promise.resolve({ wiki_page: { title: "at_once", body: "x" } })],
  ])("of %s have one effect", async (path, type, params) => {
    const id = await made(path, await params());
    const key = path === "wiki_pages" ? "at_once" : id;
    const erased = [0, 1].map((index) => () => admin(index).client.delete(`/${path}/${key}.json`));
    const statuses = await atOnce(path, id, erased);
    expect([
      [200, 200],
      [200, 404],
      [200, 420],
    ]).toContainEqual(statuses);
    expect((await actionsOn(type, id)).length).toBeLessThanOrEqual(1);
  });
});

describe("concurrent decisions about aliases and implications", () => {
  const ask = async (kind: Kind, antecedentName: string, consequentName: string): Promise<Answer> => {
    const asked = await member.client.graphql(
      `mutation($input: RequestTagRelationInput!) { requestTag${kind}(input: $input) { made: tag${kind} { id } } }`,
      { input: { antecedentName, consequentName, reason: "a test" } },
    );
    return { ...asked, status: asked.json.errors?.[0].extensions.status ?? asked.status };
  };
  const idOf = ({ json }: Answer, kind: Kind): number => json.data[`requestTag${kind}`].made.id as number;
  const decide = (by: TestUser, verb: string, kind: Kind, id: number) => () =>
    mutate(by, `${verb}Tag${kind}(input: { id: ${id} })`);
  const settled = (kind: Kind, id: number) =>
    expect.poll(() => statusOf(test, kind, id), { timeout: 30_000 }).toMatch(/^(active|error.*|deleted)$/);

  it.each<Kind>(["Alias", "Implication"])("%s: requests, approvals, rejections", async (kind) => {
    const table = kind === "Alias" ? "tag_aliases" : "tag_implications";
    const { id: post } = await test.make.post(`old_${kind}`);
    const asked = await Promise.all([1, 2, 3].map(() => ask(kind, `old_${kind}`, `new_${kind}`)));
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 423, 423]);
    const id = idOf(asked.find(({ status }) => status === 200) as Answer, kind);
    const deciding = [decide(admin(0), "approve", kind, id), decide(admin(1), "approve", kind, id)];
    expect(await atOnce(table, id, deciding)).toEqual([200, 420]);
    await settled(kind, id);
    expect(await tagsOf(test, [post])).toEqual([
      kind === "Alias" ? "lowres new_alias" : "lowres new_implication old_implication",
    ]);
    expect(await test.board.database.postVersion.count({ where: { postId: post } })).toBe(2);
    const rejected = idOf(await ask(kind, `bad_${kind}`, `new_${kind}`), kind);
    const both = [decide(admin(0), "approve", kind, rejected), decide(admin(1), "reject", kind, rejected)];
    const statuses = await atOnce(table, rejected, both);
    expect([
      [200, 200],
      [200, 404],
      [200, 420],
    ]).toContainEqual(statuses);
    await settled(kind, rejected);
    expect(["active", "deleted"]).toContain(await statusOf(test, kind, rejected).catch(() => "deleted"));
  });

  it("approve only one of two aliases that would form a chain or cycle", async () => {
    for (let round = 0; round < 2; round += 1) {
      const names = ["a", "b", "c"].map((name) => `${name}_${round}`);
      const ids = await Promise.all(
        names.map(async (name, index) => idOf(await ask("Alias", name, names[(index + 1) % 3] as string), "Alias")),
      );
      const answers = await Promise.all(ids.map((id, index) => decide(admin(index), "approve", "Alias", id)()));
      expect(answers.filter(({ status }) => ![200, 420].includes(status))).toEqual([]);
      for (const id of ids) if ((await statusOf(test, "Alias", id)) !== "pending") await settled("Alias", id);
      const chains = await test.board.database.query(sql`
        SELECT a.id FROM tag_aliases a JOIN tag_aliases b ON a.consequent_name = b.antecedent_name
         WHERE a.status = 'active' AND b.status = 'active'`);
      expect(chains).toEqual([]);
    }
  });

  it("are applied beside an edit that changes the category of a tag", async () => {
    const { id } = await test.make.post("artist:brush plain other");
    const { id: tagId } = await test.board.database.tag.findUniqueOrThrow({ where: { name: "plain" } });
    const { id: postId } = await test.make.post();
    await using held = await hold("tags", tagId);
    const edited = admin(0).client.put(`/posts/${postId}.json`, { post: { tag_string: "plain char:other" } });
    await expect.poll(() => held.waiting(), { timeout: 15_000 }).toBe(1);
    const alias = await approve(admin(1), "Alias", "brush", "plain");
    await expect.poll(() => held.waiting(), { timeout: 15_000 }).toBe(2);
    await held[Symbol.asyncDispose]();
    expect((await edited).status).toBe(200);
    await settled("Alias", alias);
    expect(await tagsOf(test, [id, postId])).toEqual(["lowres other plain", "lowres other plain"]);
  });

  it("are applied while the posts are edited, and leave none with the old tag", async () => {
    const posts = await Promise.all(Array.from({ length: 8 }, (_, index) => test.make.post(`kitty pet_${index % 3}`)));
    const relations = await Promise.all([
      approve(admin(0), "Alias", "kitty", "cat"),
      approve(admin(1), "Implication", "cat", "animal"),
      approve(admin(2), "Alias", "pet_1", "pet"),
      approve(admin(3), "Implication", "pet_2", "cat"),
    ]);
    const changes = ["dog -pet_0", "kitty pet_2", "-kitty", "pet_1 -dog"];
    const postIds = posts.map(({ id }) => id);
    const answers = await Promise.all(
      admins.map((by, index) =>
        by.client.graphql(
          `mutation($input: UpdatePostsInput!) { updatePosts(input: $input) { posts { id } refusals { reason } } }`,
          { input: { postIds: index % 2 === 0 ? postIds : postIds.toReversed(), tagChanges: changes[index] } },
        ),
      ),
    );
    expect(answers.map(({ json }) => [json.data?.updatePosts.posts.length, json.data?.updatePosts.refusals])).toEqual(
      admins.map(() => [8, []]),
    );
    const kinds: Kind[] = ["Alias", "Implication", "Alias", "Implication"];
    for (const [index, id] of relations.entries()) await settled(kinds[index] as Kind, id);
    expect(await Promise.all(relations.map((id, index) => statusOf(test, kinds[index] as Kind, id)))).toEqual([
      "active",
      "active",
      "active",
      "active",
    ]);
    for (const tags of await tagsOf(test, postIds))
      expect(tags.split(" ").filter((tag) => ["kitty", "pet_1"].includes(tag))).toEqual([]);
  });
});
