import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { holdRow, PATIENCE } from "../support/held-table.js";
import { deadlocksOf, filesOf, gappyVersions, tracesOf, wrongCounts, wrongTagCounts } from "../support/traces.js";

const WRITERS = 16;

let test: TestBoard;
let writers: TestUser[];
beforeAll(async () => {
  test = await startBoard({ ...PATIENCE, JOBS: "true", SOURCE_TIMEOUT_MS: "2000" });
  writers = await Promise.all(Array.from({ length: WRITERS }, () => test.make.user("Contributor")));
});
afterAll(() => test[Symbol.asyncDispose]());

afterEach(expectTruth);

/** Whatever was done at once: nobody was given up for another, and all counts and versions are exact. */
async function expectTruth(): Promise<void> {
  expect([await wrongCounts(test), await gappyVersions(test), await deadlocksOf(test)]).toEqual([[], [], 0]);
  await expect.poll(() => wrongTagCounts(test), { timeout: 20_000 }).toEqual([]);
}

/** Numbers that are the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed * 7919 + 1;
  return (sides) => (state = (state * 16_807) % 2_147_483_647) % sides;
}

/** Every writer does so many things, all writers at once; the statuses of all answers, each once. */
async function all(rounds: number, work: (writer: TestUser, roll: (sides: number) => number) => Promise<Answer>) {
  const statuses = await Promise.all(
    writers.map(async (writer, index) => {
      const roll = dice(index + 1);
      const seen: number[] = [];
      for (let round = 0; round < rounds; round += 1) seen.push((await work(writer, roll)).status);
      return seen;
    }),
  );
  return [...new Set(statuses.flat())].sort((a, b) => a - b);
}

const posts = (count: number): Promise<TestPost[]> =>
  Promise.all(Array.from({ length: count }, () => test.make.post("start")));

const pick = <T>(list: T[], roll: (sides: number) => number): T => list[roll(list.length)] as T;

/** Twelve of thirty words, some with a category, some new to the board. */
const words = (roll: (sides: number) => number): string =>
  Array.from({ length: 12 }, () => `${pick(["", "", "", "artist:", "char:"], roll)}word_${roll(30)}`).join(" ");

describe("sixteen writers at once", () => {
  it("edit overlapping tags of one post", async () => {
    const [post] = await posts(1);
    const statuses = await all(6, (writer, roll) =>
      writer.client.put(`/posts/${post?.id}.json`, { post: { tag_string: words(roll) } }),
    );
    expect(statuses).toEqual([200]);
    const [row] = await test.board.database.postVersion.groupBy({
      by: ["postId"],
      where: { postId: post?.id ?? 0 },
      _count: true,
    });
    expect(row?._count).toBeGreaterThan(WRITERS);
  });

  it("edit overlapping tags of different posts, with new tags and changes of category", async () => {
    const made = await posts(8);
    const statuses = await all(6, (writer, roll) =>
      writer.client.put(`/posts/${pick(made, roll).id}.json`, {
        post: { tag_string: `${words(roll)} new_${roll(200)} new_${roll(200)}` },
      }),
    );
    expect(statuses).toEqual([200]);
  });

  it("add and remove tags of one post, and each edit is kept", async () => {
    const [post] = await posts(1);
    const tags = await Promise.all(
      writers.map(async (writer, index) => {
        const edit = { tag_string: `start added_${index}`, old_tag_string: "start" };
        return (await writer.client.put(`/posts/${post?.id}.json`, { post: edit })).status;
      }),
    );
    expect(new Set(tags)).toEqual(new Set([200]));
    const { json } = await test.anonymous.get(`/posts/${post?.id}.json`);
    expect((json.tag_string as string).split(" ").sort()).toEqual(
      ["lowres", "start", ...writers.map((_, index) => `added_${index}`)].sort(),
    );
  });

  it("upload, edit, revert, vote and change parents", async () => {
    const made = await posts(6);
    const statuses = await all(8, async (writer, roll) => {
      const { id } = pick(made, roll);
      const other = pick(made, roll).id;
      const tags = words(roll);
      const kinds: (() => Promise<Answer>)[] = [
        () => writer.client.put(`/posts/${id}.json`, { post: { tag_string: tags } }),
        () => writer.client.put(`/posts/${id}.json`, { post: { tag_string: tags, parent_id: other } }),
        () => writer.client.put(`/posts/${id}.json`, { post: { tag_string: `${tags} -parent:${other}` } }),
        () => writer.client.put(`/posts/${id}.json`, { post: { tag_string: tags, parent_id: "" } }),
        () => writer.client.post(`/posts/${id}/votes.json`, { score: "up" }),
        () => writer.client.delete(`/posts/${id}/votes.json`),
        () => test.make.upload(writer, { tag_string: tags, parent_id: id }),
        async () => {
          const { json } = await writer.client.get("/post_versions.json", { search: { post_id: id } });
          return writer.client.put(`/posts/${id}/revert.json`, { version_id: pick<{ id: number }>(json, roll).id });
        },
      ];
      return pick(kinds, roll)();
    });
    // a parent that would close a cycle, a vote there is none of, a second vote
    expect(statuses.filter((status) => ![200, 404, 420, 423].includes(status))).toEqual([]);
    expect(await cycles()).toEqual([]);
    expect(await wrongFamilies()).toEqual([]);
  });
});

describe("sixteen writers at once, by posts and by pools", () => {
  it("ignore a pool that is undeleted while the post is edited, without a deadlock", async () => {
    const [writer, other] = writers as [TestUser, TestUser];
    const janitor = await test.make.user("Janitor");
    const [post] = (await posts(1)) as [TestPost];
    const made = await writer.client.post("/pools.json", { pool: { name: "pool_restored", description: "of posts" } });
    const path = `/pools/${made.json.id}`;
    await janitor.client.delete(`${path}.json`);
    await using held = await holdRow(test.board.databaseUrl, "posts", post.id);
    const tags = { tag_string: `start pool:${made.json.id}` };
    const edited = writer.client.put(`/posts/${post.id}.json`, { post: tags });
    await expect.poll(() => held.waiting(), { timeout: 15_000 }).toBe(1);
    await janitor.client.post(`${path}/undelete.json`);
    const added = other.client.put(`${path}.json`, { pool: { post_ids: String(post.id) } });
    await expect.poll(() => held.waiting(), { timeout: 15_000 }).toBe(2);
    await held[Symbol.asyncDispose]();
    expect([(await edited).status, (await added).status]).toEqual([200, 200]);
  });

  it("put posts into pools and take them out", async () => {
    const made = await posts(4);
    const [creator] = writers as [TestUser];
    const pools = await Promise.all(
      ["a", "b", "c"].map(async (name) => {
        const pool = { name: `pool_${name}`, description: "of posts", post_ids: "" };
        return (await creator.client.post("/pools.json", { pool })).json.id as number;
      }),
    );
    const statuses = await all(8, (writer, roll) => {
      const [post, pool] = [pick(made, roll), pick(pools, roll)];
      const some = made.filter(() => roll(2) === 1).map(({ id }) => id);
      const actions = [
        `pool:${pool}`,
        `-pool:${pool}`,
        "pool:none",
        `newpool:new_${roll(3)}`,
        `pool:${pool} pool:none`,
      ];
      return roll(2) === 1
        ? writer.client.put(`/pools/${pool}.json`, { pool: { post_ids: some.join(" ") } })
        : writer.client.put(`/posts/${post.id}.json`, { post: { tag_string: `start ${pick(actions, roll)}` } });
    });
    expect(statuses).toEqual([200]);
  });
});

/** Posts that are their own ancestors. */
const cycles = () =>
  test.board.database.query<object>(sql`
    WITH RECURSIVE line(start, id) AS (
      SELECT id, parent_id FROM posts WHERE parent_id IS NOT NULL
      UNION SELECT line.start, p.parent_id FROM posts p JOIN line ON p.id = line.id WHERE p.parent_id IS NOT NULL
    ) SELECT start FROM line WHERE start = id`);

/** Posts whose flags don't say what children they have. */
const wrongFamilies = () =>
  test.board.database.query<object>(sql`
    SELECT id FROM posts p WHERE has_children <> EXISTS (SELECT FROM posts c WHERE c.parent_id = p.id)
        OR has_active_children <> EXISTS (SELECT FROM posts c WHERE c.parent_id = p.id AND NOT c.is_deleted)`);

describe("concurrent changes of parents", () => {
  it("never make a cycle", async () => {
    for (let round = 0; round < 5; round += 1) {
      const ring = await posts(4);
      const statuses = await Promise.all(
        ring.map(async (post, index) => {
          const parent_id = ring[(index + 1) % ring.length]?.id;
          return (await writers[index]?.client.put(`/posts/${post.id}.json`, { post: { parent_id } }))?.status;
        }),
      );
      expect(statuses.sort()).toEqual([200, 200, 200, 420]);
      expect([await cycles(), await wrongFamilies()]).toEqual([[], []]);
    }
  });

  it("count the remaining children when several are deleted concurrently", async () => {
    const janitor = await test.make.user("Janitor");
    const parent = await test.make.post();
    const children: TestPost[] = [];
    for (let index = 0; index < 3; index += 1) children.push(await test.make.post("x", { parent_id: parent.id }));
    const held = await holdRow(test.board.databaseUrl, "posts", parent.id);
    const deletions = children.map(({ id }) =>
      janitor.client.graphql(`mutation { deletePost(input: { id: ${id}, reason: "x" }) { post { isDeleted } } }`),
    );
    await expect.poll(() => held.waiting(), { timeout: 15_000 }).toBe(children.length);
    await held[Symbol.asyncDispose]();
    expect((await Promise.all(deletions)).map(({ json }) => json.data.deletePost.post.isDeleted)).toEqual([
      true,
      true,
      true,
    ]);
    expect(await wrongFamilies()).toEqual([]);
  });

  it("wait for moderation of relatives instead of deadlocking", async () => {
    const admin = await test.make.user("Admin");
    const { id: first } = await test.make.post("family");
    const ids = [first];
    for (let index = 0; index < 4; index += 1) {
      ids.push((await test.make.post("family", { parent_id: ids[index >> 1] ?? first })).id);
    }
    const pool = { name: "family", description: "", post_ids: ids.join(" ") };
    const { json } = await admin.client.post("/pools.json", { pool });
    const moderate = async (mutation: string): Promise<Answer> => {
      const answer = await admin.client.graphql(`mutation { ${mutation} { __typename } }`);
      return { ...answer, status: answer.json.errors?.[0].extensions.status ?? answer.status };
    };
    const statuses = await all(8, (writer, roll) => {
      const [id, other] = [pick(ids, roll), pick(ids, roll)];
      const kinds: (() => Promise<Answer>)[] = [
        () => moderate(`deletePost(input: { id: ${id}, reason: "x", moveFavorites: true })`),
        () => moderate(`undeletePost(input: { id: ${id} })`),
        () => moderate(`approvePost(input: { id: ${id} })`),
        () => moderate(`movePostFavorites(input: { id: ${id} })`),
        () => writer.client.post("/favorites.json", { post_id: id }),
        () => writer.client.put(`/posts/${id}.json`, { post: { parent_id: other } }),
        () =>
          writer.client.put(`/posts/${id}.json`, { post: { tag_string: `family -child:${other} -pool:${json.id}` } }),
      ];
      return pick(kinds, roll)();
    });
    expect(statuses.filter((status) => ![200, 420, 423].includes(status))).toEqual([]);
    expect([await cycles(), await wrongFamilies(), await deadlocksOf(test)]).toEqual([[], [], 0]);
    const rest = await Promise.all([
      ...ids.map((id) => moderate(`expungePost(input: { id: ${id} })`)),
      ...writers.map((writer, index) => {
        const edit = { tag_string: `family word_${index} pool:${json.id}`, parent_id: ids[index % 2] };
        return writer.client.put(`/posts/${ids[index % ids.length]}.json`, { post: edit });
      }),
    ]);
    expect(rest.filter(({ status }) => ![200, 404, 420].includes(status))).toEqual([]);
    expect([await cycles(), await wrongFamilies()]).toEqual([[], []]);
  });
});

describe("concurrent uploads of the same file", () => {
  it("create one post: one 200, the others 423 with its id", async () => {
    for (let round = 0; round < 5; round += 1) {
      const file = await test.make.picture();
      const answers = await Promise.all(writers.slice(0, 4).map((writer) => test.make.upload(writer, { file })));
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 423, 423, 423]);
      const ids = new Set(answers.map((answer) => answer.json.post_id as number));
      expect(ids.size).toBe(1);
      await expectFiles();
    }
  });

  it("keep the file when one of them fails", async () => {
    for (let round = 0; round < 10; round += 1) {
      const file = await test.make.picture();
      const uploads = writers
        .slice(0, 6)
        .map((writer, index) =>
          test.make.upload(writer, { file, ...(index % 2 === 0 ? { tag_string: "order:score" } : {}) }),
        );
      const statuses = (await Promise.all(uploads)).map((answer) => answer.status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => ![200, 420, 423].includes(status))).toEqual([]);
      await expectFiles();
    }
  });
});

/** The files of all posts are there, and no others. */
async function expectFiles(): Promise<void> {
  const rows = await test.board.database.mediaFile.findMany();
  const expected = rows.flatMap(({ md5, fileExt }) => {
    const folder = `${md5.slice(0, 2)}/${md5.slice(2, 4)}`;
    return [`original/${folder}/${md5}.${fileExt}`, `preview/${folder}/${md5}.jpg`];
  });
  await expect.poll(() => filesOf(test)).toEqual(expected.sort());
}

describe("concurrent votes", () => {
  it("of many users all count, of one user only one", async () => {
    const [post] = await posts(1);
    const before = (await tracesOf(test)) as unknown as { votes: number };
    const many = await Promise.all(
      writers.flatMap((writer, index) =>
        [1, 2, 3].map(async () => {
          const score = index < 10 ? "up" : "down";
          return (await writer.client.post(`/posts/${post?.id}/votes.json`, { score })).status;
        }),
      ),
    );
    expect(many.filter((status) => status === 200)).toHaveLength(WRITERS);
    expect(many.filter((status) => status === 423)).toHaveLength(2 * WRITERS);
    const { json } = await test.anonymous.get(`/posts/${post?.id}.json`);
    expect([json.score, json.up_score, json.down_score]).toEqual([4, 10, -6]);
    expect(await tracesOf(test)).toMatchObject({ votes: before.votes + WRITERS });
  });
});
