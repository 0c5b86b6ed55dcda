/** Favorite groups, as clients of the original board expect them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client, Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { holdRow } from "../support/held-table.js";

let test: TestBoard;
let owner: TestUser;
let stranger: TestUser;
let posts: number[];
beforeAll(async () => {
  test = await startBoard();
  owner = await test.make.user("Platinum");
  stranger = await test.make.user("Admin");
  posts = [];
  for (let count = 0; count < 4; count += 1) posts.push((await test.make.post("sea")).id);
});
afterAll(() => test[Symbol.asyncDispose]());

let serial = 0;
const fresh = (): string => `group_${(serial += 1)}`;

interface Group {
  id: number;
  name: string;
  post_ids: number[];
  is_public: boolean;
}

async function make(attributes: Params = {}, by: Client = owner.client): Promise<Group> {
  const answer = await by.post("/favorite_groups.json", { favorite_group: { name: fresh(), ...attributes } });
  if (answer.status !== 200) throw new Error(answer.text);
  return shown((answer.json as Group).id, by);
}

const shown = async (id: number, by: Client = owner.client): Promise<Group> =>
  (await by.get(`/favorite_groups/${id}.json`)).json as Group;
const idsOf = (answer: { json: unknown }): number[] => (answer.json as { id: number }[]).map(({ id }) => id);
const versionsOf = async (id: number): Promise<{ id: number; version: number; post_ids: number[] }[]> =>
  (await owner.client.get("/favorite_group_versions.json", { search: { favorite_group_id: id } })).json as never;
/** Room for more groups, of which a Platinum user has 10. */
const clear = () => test.board.database.favoriteGroup.deleteMany();

describe("POST /favorite_groups.json", () => {
  it("creates a private group, with its posts in order, each once", async () => {
    const [a, b] = posts as [number, number];
    const favorite_group = { name: " My  Ships ", post_ids: `${b} ${a} ${b}` };
    const { status, json } = await owner.client.post("/favorite_groups.json", { favorite_group });
    const made = json as Group & { created_at: string; updated_at: string };
    expect([status, made]).toEqual([
      200,
      {
        success: true,
        reason: "",
        id: made.id,
        name: "My_Ships",
        creator_id: owner.id,
        creator_name: owner.name,
        post_ids: [b, a],
        post_count: 2,
        is_public: false,
        created_at: made.created_at,
        updated_at: made.updated_at,
      },
    ]);
    expect(await versionsOf(made.id)).toMatchObject([{ version: 1, post_ids: [b, a], added_post_ids: [b, a] }]);
  });

  it("accepts posts as the original's forms send them", async () => {
    const [a, b] = posts as [number, number];
    expect(await make({ post_ids_string: `${a} ${b}`, is_public: true })).toMatchObject({
      post_ids: [a, b],
      is_public: true,
    });
  });

  it("420 for a name of another of one's own groups in any case, with a comma, a number, or a reserved word", async () => {
    const { name } = await make();
    const before = await test.board.database.favoriteGroup.count();
    for (const bad of [name.toUpperCase(), "a,b", "123", "any", "x".repeat(171)]) {
      const answer = await owner.client.post("/favorite_groups.json", { favorite_group: { name: bad } });
      expect([bad, answer.status]).toEqual([bad, 420]);
    }
    expect(await test.board.database.favoriteGroup.count()).toBe(before);
  });

  it("lets two users have groups of the same name", async () => {
    const { name } = await make();
    expect(await make({ name }, stranger.client)).toMatchObject({ name });
  });

  it("420 for unknown posts, 424 without a name, 403 for visitors", async () => {
    const unknown = { favorite_group: { name: fresh(), post_ids: "2000000000" } };
    expect((await owner.client.post("/favorite_groups.json", unknown)).status).toBe(420);
    expect((await owner.client.post("/favorite_groups.json", { favorite_group: { name: " " } })).status).toBe(424);
    expect((await test.anonymous.post("/favorite_groups.json", { favorite_group: { name: fresh() } })).status).toBe(
      403,
    );
  });

  it.each([
    ["Member", 3],
    ["Gold", 5],
    ["Platinum", 10],
  ] as const)("as %s makes %i of them and no more", async (level, limit) => {
    const user = await test.make.user(level);
    for (let count = 0; count < limit; count += 1) await make({}, user.client);
    const { status, json } = await user.client.post("/favorite_groups.json", { favorite_group: { name: fresh() } });
    expect([status, json]).toMatchObject([420, { success: false }]);
    expect(await test.board.database.favoriteGroup.count({ where: { creatorId: user.id } })).toBe(limit);
  });

  it("holds that limit for concurrent requests", async () => {
    const user = await test.make.user();
    const send = () => user.client.post("/favorite_groups.json", { favorite_group: { name: fresh() } });
    const statuses = (await Promise.all([1, 2, 3, 4, 5].map(send))).map(({ status }) => status);
    expect(statuses.sort((a, b) => a - b)).toEqual([200, 200, 200, 420, 420]);
  });
});

describe("PUT /favorite_groups/{id}.json", () => {
  beforeAll(clear);

  it("keeps a name that was reserved later", async () => {
    const { id } = await make({});
    await test.board.database.favoriteGroup.update({ where: { id }, data: { name: "none" } });
    const change = { name: "none", is_public: true };
    expect((await owner.client.put(`/favorite_groups/${id}.json`, { favorite_group: change })).status).toBe(200);
    expect(await shown(id)).toMatchObject(change);
  });

  it("changes name, order and privacy, with a version; absent fields stay", async () => {
    const [a, b] = posts as [number, number];
    const { id } = await make({ post_ids: `${a} ${b}` });
    const name = fresh();
    await owner.client.put(`/favorite_groups/${id}.json`, { favorite_group: { name, post_ids: `${b} ${a}` } });
    expect(await shown(id)).toMatchObject({ name, post_ids: [b, a], is_public: false });
    await owner.client.put(`/favorite_groups/${id}.json`, { favorite_group: { is_public: true } });
    expect(await shown(id)).toMatchObject({ name, post_ids: [b, a], is_public: true });
    expect((await versionsOf(id)).map(({ version }) => version)).toEqual([3, 2, 1]);
  });

  it("creates no version when nothing changes", async () => {
    const { id, name } = await make();
    await owner.client.put(`/favorite_groups/${id}.json`, { favorite_group: { name } });
    expect(await versionsOf(id)).toHaveLength(1);
  });

  it.each([
    ["PUT", "", { favorite_group: { name: "taken_over" } }],
    ["PUT", "/add_post", { post_id: 1 }],
    ["PUT", "/remove_post", { post_id: 1 }],
    ["PUT", "/revert", { version_id: 1 }],
    ["DELETE", "", {}],
  ] as const)(
    "%s%s is 403 for others, Admins too, and 404 where the group is private",
    async (method, tail, params) => {
      await clear();
      const [open, hidden] = [await make({ is_public: true, post_ids: [posts[0]] }), await make()];
      const send = ({ id }: Group, by: Client) =>
        method === "PUT"
          ? by.put(`/favorite_groups/${id}${tail}.json`, params)
          : by.delete(`/favorite_groups/${id}${tail}.json`, params);
      expect((await send(open, stranger.client)).status).toBe(403);
      expect((await send(open, test.anonymous)).status).toBe(403);
      expect((await send(hidden, stranger.client)).status).toBe(404);
      expect(await shown(open.id)).toEqual(open);
      expect(await versionsOf(open.id)).toHaveLength(1);
    },
  );
});

describe("PUT /favorite_groups/{id}/add_post.json and remove_post.json", () => {
  beforeAll(clear);

  it("add a post at the end once, and remove it", async () => {
    const [a, b, c] = posts as [number, number, number];
    const { id } = await make({ post_ids: `${b} ${a}` });
    const send = (what: string, post_id: number) =>
      owner.client.put(`/favorite_groups/${id}/${what}.json`, { post_id });
    expect((await send("add_post", c)).json).toMatchObject({ post_ids: [b, a, c], post_count: 3 });
    expect((await send("add_post", b)).json).toMatchObject({ post_ids: [b, a, c] });
    expect((await send("remove_post", a)).json).toMatchObject({ post_ids: [b, c], post_count: 2 });
    expect((await send("remove_post", a)).status).toBe(200);
    expect((await send("add_post", 2_000_000_000)).status).toBe(404);
    expect((await send("remove_post", 2_000_000_000)).status).toBe(404);
    expect(await versionsOf(id)).toHaveLength(3);
  });
});

describe("favorite groups, while an upload or edit has locked their user's counters", () => {
  beforeAll(clear);

  it("are written without waiting for that lock, which could cause a deadlock", async () => {
    await using _held = await holdRow(test.board.databaseUrl, "users", owner.id);
    const { id } = await make();
    const { status } = await owner.client.put(`/favorite_groups/${id}/add_post.json`, { post_id: posts[0] });
    expect(status).toBe(200);
  });
});

describe("PUT /favorite_groups/{id}/revert.json", () => {
  beforeAll(clear);

  it("restores name and posts, but not the privacy", async () => {
    const [a, b] = posts as [number, number];
    const { id, name } = await make({ post_ids: `${a} ${b}`, is_public: true });
    const favorite_group = { name: fresh(), post_ids: "", is_public: false };
    await owner.client.put(`/favorite_groups/${id}.json`, { favorite_group });
    const first = (await versionsOf(id)).at(-1)?.id;
    const answer = await owner.client.put(`/favorite_groups/${id}/revert.json`, { version_id: first });
    expect([answer.status, answer.json]).toMatchObject([200, { name, post_ids: [a, b], is_public: false }]);
    expect(await versionsOf(id)).toHaveLength(3);
  });

  it("leaves out posts that no longer exist", async () => {
    const { id: gone } = await test.make.post();
    const { id } = await make({ post_ids: `${posts[0]} ${gone}` });
    await owner.client.put(`/favorite_groups/${id}.json`, { favorite_group: { post_ids: "" } });
    await test.board.database.post.delete({ where: { id: gone } });
    const version_id = (await versionsOf(id)).at(-1)?.id;
    const { json } = await owner.client.put(`/favorite_groups/${id}/revert.json`, { version_id });
    expect(json).toMatchObject({ post_ids: [posts[0]] });
  });

  it("404 for a version of another group", async () => {
    const [one, other] = [await make(), await make()];
    const version_id = (await versionsOf(other.id))[0]?.id;
    expect((await owner.client.put(`/favorite_groups/${one.id}/revert.json`, { version_id })).status).toBe(404);
  });
});

describe("DELETE /favorite_groups/{id}.json", () => {
  beforeAll(clear);

  it("removes the group and its history permanently, but not its posts", async () => {
    const { id } = await make({ post_ids: [posts[0]] });
    expect((await owner.client.delete(`/favorite_groups/${id}.json`)).status).toBe(200);
    expect((await owner.client.get(`/favorite_groups/${id}.json`)).status).toBe(404);
    expect(await versionsOf(id)).toEqual([]);
    expect((await test.anonymous.get(`/posts/${posts[0]}.json`)).status).toBe(200);
    expect((await owner.client.delete(`/favorite_groups/${id}.json`)).status).toBe(404);
  });
});

describe("a private group", () => {
  let open: Group;
  let hidden: Group;
  beforeAll(async () => {
    await clear();
    open = await make({ is_public: true, post_ids: [posts[1]] });
    hidden = await make({ post_ids: [posts[0]] });
  });

  it("is visible only to its creator, by id and in lists, with its versions", async () => {
    for (const [client, expected] of [
      [owner.client, [hidden.id, open.id]],
      [stranger.client, [open.id]],
      [test.anonymous, [open.id]],
    ] as const) {
      expect(idsOf(await client.get("/favorite_groups.json"))).toEqual(expected);
      expect(idsOf(await client.get("/favorite_groups.json", { search: { name_matches: "group" } }))).toEqual(expected);
      const versions = (await client.get("/favorite_group_versions.json")).json as { favorite_group_id: number }[];
      expect(versions.map((version) => version.favorite_group_id)).toEqual(expected);
    }
    const version = (await versionsOf(hidden.id))[0]?.id;
    for (const path of [`/favorite_groups/${hidden.id}.json`, `/favorite_group_versions/${version}.json`]) {
      expect((await owner.client.get(path)).status).toBe(200);
      expect((await stranger.client.get(path)).status).toBe(404);
      expect((await test.anonymous.get(path)).status).toBe(404);
    }
  });

  it.each([
    ["search[is_public]=false", { is_public: false }, () => [hidden.id]],
    ["search[is_public]=true", { is_public: true }, () => [open.id]],
    ["search[name_matches] with a pattern", { name_matches: "gr*" }, () => [hidden.id, open.id]],
    ["an unknown search[creator_name]", { creator_name: "nobody" }, () => []],
  ] as const)("%s finds of the creator's own what it says", async (_name, search, expected) => {
    expect(idsOf(await owner.client.get("/favorite_groups.json", { search }))).toEqual(expected());
  });

  it("search[creator_id], search[creator_name] and search[post_ids_include_any] find groups", async () => {
    const search = { creator_name: owner.name, creator_id: owner.id, post_ids_include_any: posts.join(" ") };
    expect(idsOf(await test.anonymous.get("/favorite_groups.json", { search }))).toEqual([open.id]);
    const all = { post_ids_include_all: `${posts[0]} ${posts[1]}` };
    expect(idsOf(await owner.client.get("/favorite_groups.json", { search: all }))).toEqual([]);
  });

  it("is available in XML", async () => {
    const { status, text } = await test.anonymous.get(`/favorite_groups/${open.id}.xml`);
    expect([status, text.includes(`<name>${open.name}</name>`), text.startsWith("<?xml")]).toEqual([200, true, true]);
  });
});

describe("favgroup: and ordfavgroup:", () => {
  let open: Group;
  let hidden: Group;
  beforeAll(async () => {
    await clear();
    const [a, b, c] = posts as [number, number, number];
    open = await make({ is_public: true, post_ids: `${b} ${c} ${a}` });
    hidden = await make({ post_ids: `${a}` });
  });
  const found = async (tags: string, by: Client = owner.client) => idsOf(await by.get("/posts.json", { tags }));

  it("find the posts of a group, by id or by the name of one's own", async () => {
    const [a, b, c] = posts as [number, number, number];
    const newestFirst = [c, b, a];
    expect(await found(`favgroup:${open.id}`)).toEqual(newestFirst);
    expect(await found(`favgroup:${open.id}`, test.anonymous)).toEqual(newestFirst);
    expect(await found(`favgroup:${open.name.toUpperCase()}`)).toEqual(newestFirst);
    expect(await found(`favgroup:${open.name}`, stranger.client)).toEqual([]);
    expect(await found(`sea -favgroup:${open.id}`)).toEqual([posts[3]]);
    expect(await found(`favgroup:${open.id} or id:${posts[3]}`)).toEqual([posts[3], ...newestFirst]);
  });

  it("find nothing in others' private groups", async () => {
    expect(await found(`favgroup:${hidden.id}`)).toEqual([posts[0]]);
    expect(await found(`favgroup:${hidden.id}`, stranger.client)).toEqual([]);
    expect(await found(`ordfavgroup:${hidden.id}`, test.anonymous)).toEqual([]);
  });

  it("ordfavgroup: returns them in the group's order", async () => {
    expect(await found(`ordfavgroup:${open.id}`, test.anonymous)).toEqual(open.post_ids);
    expect(await found(`ordfavgroup:${open.name}`)).toEqual(open.post_ids);
  });
});

describe("expunging a post", () => {
  it("removes it from every favorite group, with a version", async () => {
    await clear();
    const { id: gone } = await test.make.post("wreck");
    const { id } = await make({ post_ids: `${gone} ${posts[0]}` });
    await test.board.database.post.findUniqueOrThrow({ where: { id: gone } });
    const { json } = await stranger.client.graphql(
      `mutation($id: Int!) { expungePost(input: { id: $id }) { postId } }`,
      { id: gone },
    );
    expect(json.data.expungePost).toEqual({ postId: gone });
    expect(await shown(id)).toMatchObject({ post_ids: [posts[0]], post_count: 1 });
    expect((await versionsOf(id))[0]).toMatchObject({ version: 2, removed_post_ids: [gone] });
  });
});
