import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import { holdRow } from "../support/held-table.js";

let test: TestBoard;
let member: TestUser;
let admin: TestUser;
beforeAll(async () => {
  test = await startBoard();
  member = await test.make.user();
  admin = await test.make.user("Admin");
});
afterAll(() => test[Symbol.asyncDispose]());

type Kind = "Alias" | "Implication";

const request = (kind: Kind, antecedentName: string, consequentName: string, by: TestUser = member) =>
  by.client.graphql(
    `mutation($input: RequestTagRelationInput!) { requestTag${kind}(input: $input) { tag${kind} { id status creatorId } } }`,
    { input: { antecedentName, consequentName, reason: "the same thing" } },
  );
const decide = (verb: string, kind: Kind, id: number, by: TestUser = admin) =>
  by.client.graphql(
    `mutation($input: TagRelationInput!) { ${verb}Tag${kind}(input: $input) { tag${kind} { id status approverId } } }`,
    { input: { id } },
  );
async function ask(kind: Kind, antecedent: string, consequent: string): Promise<number> {
  const asked = await request(kind, antecedent, consequent);
  return asked.json.data[`requestTag${kind}`][`tag${kind}`].id as number;
}
/** Asks for one and approves it. */
async function queue(kind: Kind, antecedent: string, consequent: string): Promise<number> {
  const id = await ask(kind, antecedent, consequent);
  expect((await decide("approve", kind, id)).json.data[`approveTag${kind}`][`tag${kind}`].status).toBe("queued");
  return id;
}
/** What the background job does. */
const apply = (kind: Kind, id: number) =>
  test.board.tagRelationApplier.apply(kind === "Alias" ? "alias" : "implication", id);
async function make(kind: Kind, antecedent: string, consequent: string): Promise<number> {
  const id = await queue(kind, antecedent, consequent);
  await apply(kind, id);
  return id;
}
/** The relations of a tag, deleted ones too: names and status. */
async function relationsOf(kind: Kind, name: string): Promise<string[]> {
  const where = { OR: [{ antecedentName: name }, { consequentName: name }] };
  const orderBy = { id: "asc" } as const;
  const { tagAlias, tagImplication } = test.board.database;
  const rows =
    kind === "Alias" ? await tagAlias.findMany({ where, orderBy }) : await tagImplication.findMany({ where, orderBy });
  return rows.map((row) => `${row.antecedentName} ${row.consequentName} ${row.status}`);
}
const tagsOf = async (id: number): Promise<string> => (await test.anonymous.get(`/posts/${id}.json`)).json.tag_string;
const countOf = async (name: string): Promise<number | undefined> =>
  (await test.board.database.tag.findUnique({ where: { name } }))?.postCount;
const reason = (answer: { json: { errors?: { extensions: { status: number; reason: string } }[] } }) =>
  answer.json.errors?.[0]?.extensions;

describe("a tag alias", () => {
  it("is pending until an Admin approves it, and then replaces the tag on every post, with versions", async () => {
    const post = await test.make.post("kitty grass");
    const id = await make("Alias", "kitty", "cat");
    expect(await tagsOf(post.id)).toBe("cat grass lowres");
    expect([await countOf("kitty"), await countOf("cat")]).toEqual([0, 1]);
    const versions = await test.anonymous.get("/post_versions.json", { search: { post_id: post.id } });
    expect(versions.json[0]).toMatchObject({
      version: 2,
      added_tags: ["cat"],
      removed_tags: ["kitty"],
      updater_id: member.id,
    });
    const { json } = await test.anonymous.get(`/tag_aliases/${id}.json`);
    expect(json).toMatchObject({
      antecedent_name: "kitty",
      consequent_name: "cat",
      status: "active",
      creator_id: member.id,
      approver_id: admin.id,
      reason: "the same thing",
      post_count: 1,
    });
  });

  it("applies to searches and new uploads", async () => {
    await make("Alias", "doggy", "dog");
    const post = await test.make.post("doggy");
    expect(await tagsOf(post.id)).toBe("dog lowres");
    const found = await test.anonymous.get("/posts.json", { tags: "doggy", only: "id" });
    expect(found.json).toEqual([{ id: post.id }]);
  });

  it("moves the ban of an artist to the consequent's artist; lifting it unbans the posts of both", async () => {
    const posts = [await test.make.post("artist:bann"), await test.make.post("artist:banner")];
    const [one, other] = await Promise.all(
      ["bann", "banner"].map(async (name) => (await member.client.post("/artists.json", { artist: { name } })).json),
    );
    await admin.client.put(`/artists/${one.id}/ban.json`);
    await make("Alias", "bann", "banner");
    const bans = async () => {
      const isBanned = async (path: string) =>
        (await test.anonymous.get(path, { only: "is_banned" })).json.is_banned as boolean;
      return Promise.all(
        [`/artists/${one.id}.json`, `/artists/${other.id}.json`, ...posts.map(({ id }) => `/posts/${id}.json`)].map(
          isBanned,
        ),
      );
    };
    expect(await bans()).toEqual([false, true, true, true]);
    await admin.client.put(`/artists/${other.id}/unban.json`);
    expect(await bans()).toEqual([false, false, false, false]);
    expect(await Promise.all(posts.map(({ id }) => tagsOf(id)))).toEqual(["banner lowres", "banner lowres"]);
  });

  it("applies to tags that are added automatically", async () => {
    const before = await test.make.post("grass", { file: await test.make.picture(1_700, 100) });
    await make("Implication", "big_picture", "size");
    await make("Alias", "highres", "big_picture");
    await make("Alias", "tagme", "tags_wanted");
    const after = await test.make.post("grass", { file: await test.make.picture(1_710, 100) });
    const bare = await test.make.post("", { file: await test.make.picture(1_720, 100) });
    expect([await tagsOf(before.id), await tagsOf(after.id), await tagsOf(bare.id)]).toEqual([
      "big_picture grass long_image size wide_image",
      "big_picture grass long_image size wide_image",
      "big_picture long_image size tags_wanted wide_image",
    ]);
    const found = await test.anonymous.get("/posts.json", { tags: "highres", only: "id" });
    expect(found.json).toEqual([{ id: bare.id }, { id: after.id }, { id: before.id }]);
  });

  it("moves aliases and implications of its antecedent", async () => {
    await make("Alias", "aa", "bb");
    await make("Implication", "bb", "animal");
    await make("Alias", "bb", "cc");
    const aliases = await test.anonymous.get("/tag_aliases.json", { search: { antecedent_name: "aa" } });
    const implications = await test.anonymous.get("/tag_implications.json", { search: { antecedent_name: "cc" } });
    expect(aliases.json[0].consequent_name).toBe("cc");
    expect(implications.json[0]).toMatchObject({ consequent_name: "animal", descendant_names: "animal" });
  });

  it("renames the wiki page and the artist of its antecedent, in the name of who approved it", async () => {
    const body = "A wolf in a meadow";
    const page = (await member.client.post("/wiki_pages.json", { wiki_page: { title: "wlf", body } })).json;
    const artist = (await member.client.post("/artists.json", { artist: { name: "wlf" } })).json;
    await make("Alias", "wlf", "wolf");
    const [version] = (await test.anonymous.get("/wiki_page_versions.json", { search: { wiki_page_id: page.id } }))
      .json;
    expect(version).toMatchObject({ title: "wolf", body, updater_id: admin.id });
    expect((await test.anonymous.get(`/wiki_pages/wolf.json`)).json.id).toBe(page.id);
    expect((await test.anonymous.get(`/artists/${artist.id}.json`)).json.name).toBe("wolf");
    const versions = await test.anonymous.get("/artist_versions.json", { search: { artist_id: artist.id } });
    expect(versions.json[0]).toMatchObject({ name: "wolf", updater_id: admin.id });
  });

  it("leaves the wiki page and the artist of its antecedent if the consequent has its own", async () => {
    for (const name of ["fx", "fox"]) {
      await member.client.post("/wiki_pages.json", { wiki_page: { title: name, body: name } });
      await member.client.post("/artists.json", { artist: { name } });
    }
    const id = await make("Alias", "fx", "fox");
    expect((await test.anonymous.get(`/tag_aliases/${id}.json`)).json.status).toBe("active");
    for (const name of ["fx", "fox"]) {
      expect((await test.anonymous.get(`/wiki_pages/${name}.json`)).json.body).toBe(name);
      expect((await test.anonymous.get("/artists.json", { search: { name } })).json).toHaveLength(1);
    }
  });

  it("takes the ban of an artist along, which can then be lifted", async () => {
    const post = await test.make.post("artist:drwn_by");
    const artist = (await member.client.post("/artists.json", { artist: { name: "drwn_by" } })).json;
    await admin.client.put(`/artists/${artist.id}/ban.json`);
    await make("Alias", "drwn_by", "drawn_by");
    const isBanned = async () =>
      (await test.board.database.post.findUniqueOrThrow({ where: { id: post.id } })).isBanned;
    expect([await isBanned(), await tagsOf(post.id)]).toEqual([true, "banned_artist drawn_by lowres"]);
    expect(await relationsOf("Implication", "drawn_by")).toEqual(["drawn_by banned_artist active"]);
    expect((await admin.client.put(`/artists/${artist.id}/unban.json`)).json.name).toBe("drawn_by");
    expect([await isBanned(), await tagsOf(post.id)]).toEqual([false, "drawn_by lowres"]);
  });

  it("adds what its consequent implies from then on to older posts of the consequent", async () => {
    await make("Implication", "dachshund", "hound");
    const [older, other] = [await test.make.post("sausage_dog"), await test.make.post("sausage")];
    await make("Alias", "dachshund", "sausage_dog");
    expect(await tagsOf(older.id)).toBe("hound lowres sausage_dog");
    expect(await tagsOf(other.id)).toBe("lowres sausage");
    expect(await countOf("hound")).toBe(1);
  });

  it("420 for names that no tag can have, each with its own field", async () => {
    const asked = await request("Alias", "order:score", "and");
    expect(reason(asked)).toMatchObject({
      status: 420,
      reason: "antecedent_name begins with the meta-tag order, consequent_name is a reserved word",
    });
    expect(Object.keys(asked.json.errors[0].extensions.fields)).toEqual([
      "input.antecedentName",
      "input.consequentName",
    ]);
  });

  it("423 for an antecedent that has an alias, 420 for chains and for itself", async () => {
    await make("Alias", "bunny", "rabbit");
    expect(reason(await request("Alias", "bunny", "hare"))).toMatchObject({ status: 423, reason: "already exists" });
    expect(reason(await request("Alias", "hare", "bunny"))?.reason).toBe("consequent_name is aliased to another tag");
    expect(reason(await request("Alias", "Hare", "hare"))?.reason).toBe(
      "antecedent_name must not be the consequent itself",
    );
  });

  it("420 for a chain with an alias that is approved but not yet applied", async () => {
    const first = await ask("Alias", "q2", "q3");
    await queue("Alias", "q1", "q2");
    await queue("Alias", "q3", "q4");
    expect(reason(await decide("approve", "Alias", first))?.reason).toBe("consequent_name is aliased to another tag");
    expect(reason(await request("Implication", "q1", "q9"))?.reason).toBe("antecedent_name is aliased to another tag");
  });

  it("moves aliases to its antecedent that are approved but not yet applied", async () => {
    const first = await queue("Alias", "w1", "w2");
    await make("Alias", "w2", "w3");
    await apply("Alias", first);
    expect(await relationsOf("Alias", "w3")).toEqual(["w1 w3 active", "w2 w3 active"]);
  });

  it("420 if the implications that it moves would form a cycle, and nothing changes", async () => {
    await make("Implication", "c1", "c2");
    await make("Implication", "c2", "c3");
    const cycle = { status: 420, reason: "consequent_name would imply itself through other tags" };
    expect(reason(await request("Alias", "c1", "c3"))).toMatchObject(cycle);
    expect(reason(await request("Alias", "c3", "c1"))).toMatchObject(cycle);
    expect(await relationsOf("Implication", "c2")).toEqual(["c1 c2 active", "c2 c3 active"]);
    expect(await relationsOf("Alias", "c3")).toEqual([]);
  });

  it("is not applied if implications created meanwhile would form a cycle with it", async () => {
    await make("Implication", "m1", "m2");
    const id = await queue("Alias", "m1", "m3");
    await make("Implication", "m2", "m3");
    await expect(apply("Alias", id)).rejects.toMatchObject({ fields: { consequent_name: expect.anything() } });
    expect(await relationsOf("Implication", "m2")).toEqual(["m1 m2 active", "m2 m3 active"]);
    expect(await relationsOf("Alias", "m1")).toEqual(["m1 m3 queued"]);
  });

  it("makes requests wait while it starts, so that they are checked against what it moves", async () => {
    const moved = await make("Implication", "k1", "k2");
    const id = await queue("Alias", "k1", "k3");
    await using held = await holdRow(test.board.databaseUrl, "tag_implications", moved);
    const applied = apply("Alias", id);
    await expect.poll(() => held.waiting()).toBe(1);
    const asked = request("Implication", "k2", "k3");
    await expect.poll(() => held.waiting()).toBe(2);
    await held[Symbol.asyncDispose]();
    await applied;
    expect(reason(await asked)?.reason).toBe("consequent_name already implies the antecedent");
  });

  it("keeps an active implication rather than a request for the same one", async () => {
    await make("Implication", "poodle", "pet");
    await ask("Implication", "toy_poodle", "pet");
    await make("Alias", "poodle", "toy_poodle");
    expect(await relationsOf("Implication", "pet")).toEqual(["toy_poodle pet active", "toy_poodle pet deleted"]);
  });

  it("retires an implication between its two names, and duplicates", async () => {
    await make("Implication", "puppy", "whelp");
    await make("Implication", "puppy", "young");
    await make("Implication", "whelp", "young");
    await make("Alias", "puppy", "whelp");
    expect(await relationsOf("Implication", "young")).toEqual(["puppy young deleted", "whelp young active"]);
    expect(await relationsOf("Implication", "puppy")).toEqual(["puppy whelp deleted", "puppy young deleted"]);
  });

  it("403 below Admin to approve or reject, and nothing changes", async () => {
    const asked = await request("Alias", "pony", "horse");
    const { id } = asked.json.data.requestTagAlias.tagAlias;
    const builder = await test.make.user("Builder");
    expect(reason(await decide("approve", "Alias", id, builder))?.status).toBe(403);
    expect(reason(await decide("reject", "Alias", id, member))?.status).toBe(403);
    expect((await test.anonymous.get(`/tag_aliases/${id}.json`)).json.status).toBe("pending");
  });

  it("420 to approve or reject one that was decided, 404 one that was deleted; approves one again that failed", async () => {
    const id = await queue("Alias", "mare", "horse");
    for (const action of ["approve", "reject"] as const)
      expect(reason(await decide(action, "Alias", id))).toMatchObject({ status: 420, reason: "status is not pending" });
    await test.board.database.tagAlias.update({ where: { id }, data: { status: "error: x" } });
    expect((await decide("approve", "Alias", id)).json.data.approveTagAlias.tagAlias.status).toBe("queued");
    expect((await decide("delete", "Alias", id)).json.data.deleteTagAlias.tagAlias.status).toBe("deleted");
    for (const action of ["approve", "reject", "delete"] as const)
      expect(reason(await decide(action, "Alias", id))?.status).toBe(404);
  });

  it("can be withdrawn by its author while pending, and is then not listed", async () => {
    const asked = await request("Alias", "colour", "color");
    const { id } = asked.json.data.requestTagAlias.tagAlias;
    const other = await test.make.user();
    expect(reason(await decide("delete", "Alias", id, other))?.status).toBe(403);
    expect((await decide("delete", "Alias", id, member)).json.data.deleteTagAlias.tagAlias.status).toBe("deleted");
    expect((await test.anonymous.get("/tag_aliases.json", { search: { id } })).json).toEqual([]);
    expect(reason(await request("Alias", "colour", "color"))).toBeUndefined();
  });
});

describe("a post whose edit began before an alias was applied", () => {
  it("is retagged as soon as the edit is saved", async () => {
    const [post, editor] = [await test.make.post("yard"), await test.make.user("Admin")];
    await test.make.post("late_kitty");
    const id = await queue("Alias", "late_kitty", "late_cat");
    await using held = await holdRow(test.board.databaseUrl, "users", editor.id);
    const edited = editor.client.put(`/posts/${post.id}.json`, { post: { tag_string: "yard late_kitty" } });
    await expect.poll(() => held.waiting()).toBe(1);
    const applied = apply("Alias", id);
    await expect.poll(async () => (await test.anonymous.get(`/tag_aliases/${id}.json`)).json.status).not.toBe("queued");
    await held[Symbol.asyncDispose]();
    expect((await edited).json.tag_string).toBe("late_kitty lowres yard");
    await applied;
    expect(await tagsOf(post.id)).toBe("late_cat lowres yard");
  });
});

describe("a tag implication", () => {
  it("adds all implied tags, through chains", async () => {
    const post = await test.make.post("oak");
    await make("Implication", "tree", "plant");
    await make("Implication", "oak", "tree");
    expect(await tagsOf(post.id)).toBe("lowres oak plant tree");
    expect(await countOf("plant")).toBe(1);
    const { json } = await test.anonymous.get("/tag_implications.json", { search: { antecedent_name: "oak" } });
    expect(json[0].descendant_names).toBe("plant tree");
  });

  it("420 for cycles of any length, 423 for the same pair", async () => {
    await make("Implication", "x1", "x2");
    await make("Implication", "x2", "x3");
    expect(reason(await request("Implication", "x3", "x1"))).toMatchObject({
      status: 420,
      reason: "consequent_name already implies the antecedent",
    });
    expect(reason(await request("Implication", "x1", "x2"))?.status).toBe(423);
  });

  it("420 for a cycle with implications that are approved but not yet applied", async () => {
    const back = await ask("Implication", "y3", "y1");
    await queue("Implication", "y1", "y2");
    await queue("Implication", "y2", "y3");
    const cycle = { status: 420, reason: "consequent_name already implies the antecedent" };
    expect(reason(await decide("approve", "Implication", back))).toMatchObject(cycle);
    expect(await relationsOf("Implication", "y3")).toEqual(["y3 y1 pending", "y2 y3 queued"]);
  });
});

describe("GET /tag_aliases.json and /tag_implications.json", () => {
  it("finds by a pattern of either name, by exact antecedent and by id, in XML too", async () => {
    const id = await make("Alias", "zebra_stripes", "zebra_pattern");
    const search = async (attributes: Record<string, string | number>) =>
      ((await test.anonymous.get("/tag_aliases.json", { search: attributes })).json as { id: number }[]).map(
        (a) => a.id,
      );
    expect(await search({ name_matches: "zebra_str*" })).toEqual([id]);
    expect(await search({ name_matches: "*a_pattern" })).toEqual([id]);
    expect(await search({ antecedent_name: "zebra_stripes" })).toEqual([id]);
    expect(await search({ antecedent_name: "zebra" })).toEqual([]);
    expect(await search({ id: `${id},nonsense` })).toEqual([id]);
    const { text } = await test.anonymous.get("/tag_aliases.xml", { search: { id }, only: "id,antecedent_name" });
    expect(text).toBe(
      `<?xml version="1.0" encoding="UTF-8"?><tag-aliases type="array"><tag-alias><id type="integer">${id}</id>` +
        "<antecedent-name>zebra_stripes</antecedent-name></tag-alias></tag-aliases>",
    );
  });

  it.each(["created_at", "updated_at"])("order by %s, newest first, and those of one time by id", async (order) => {
    const ids = [];
    for (const name of ["owl", "elk", "yak"]) ids.push(await ask("Alias", `${name}_${order}`, "animal"));
    const [first = 0, second = 0, third = 0] = ids;
    const at = (year: number) => {
      const time = new Date(Date.UTC(year, 0));
      return { createdAt: time, updatedAt: time };
    };
    const { tagAlias } = test.board.database;
    await tagAlias.updateMany({ where: { id: { in: [second, third] } }, data: at(2001) });
    await tagAlias.update({ where: { id: first }, data: at(2002) });
    const { json } = await test.anonymous.get("/tag_aliases.json", { search: { id: ids.join(","), order } });
    expect((json as { id: number }[]).map(({ id }) => id)).toEqual([first, third, second]);
  });
});

describe("the background job", () => {
  it("applies a relation that a command created but did not apply", async () => {
    const names = { antecedentName: "left1", consequentName: "right1" };
    const { id } = await test.board.tagAliases.createApproved(admin.id, names);
    const jobs = await test.board.database.query<{ payload: object; wait: number }>(sql`
      SELECT payload, extract(epoch FROM run_at - now())::int AS wait FROM graphile_worker._private_jobs
       WHERE key = ${`apply_tag_relation:alias:${id}`}`);
    expect(jobs).toEqual([{ payload: { kind: "alias", id }, wait: expect.closeTo(600, -2) }]);
  });

  it("continues after an interruption", async () => {
    const posts = [await test.make.post("old1"), await test.make.post("old1")];
    const asked = await request("Alias", "old1", "new1");
    const { id } = asked.json.data.requestTagAlias.tagAlias;
    await decide("approve", "Alias", id);
    await test.board.database.tagAlias.update({ where: { id }, data: { status: "processing" } });
    await test.board.tagRelationApplier.apply("alias", id);
    expect(await Promise.all(posts.map((post) => tagsOf(post.id)))).toEqual(["lowres new1", "lowres new1"]);
    await test.board.tagRelationApplier.apply("alias", id);
    expect((await test.anonymous.get(`/tag_aliases/${id}.json`)).json.status).toBe("active");
  });
});

it("an alias may replace an older tag whose name breaks the rules; no other relation may name it", async () => {
  await test.board.database.tag.create({ data: { name: "seen\u3164", category: 0 } });
  expect((await request("Implication", "seen\u3164", "seen")).json.errors?.[0].extensions.status).toBe(420);
  expect((await request("Alias", "unknown\u3164", "seen")).json.errors?.[0].extensions.status).toBe(420);
  expect(await queue("Alias", "seen\u3164", "seen")).toBeGreaterThan(0);
});
