/** The notes of the table of permissions: rights that depend on the record's state or on a single attribute. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Requirement, MinimumLevel } from "../../src/resources/shared/policy.js";
import { permits, type Role } from "../../scripts/roles.js";
import { startBoard, type TestBoard } from "../support/board.js";
import {
  type Ability,
  type Case,
  mutate,
  ON_OTHERS,
  ON_OWN,
  UNLIMITED,
  Viewers,
  type Walk,
  walkViewers,
} from "../support/permission-walk.js";
import type { Input, Recipe } from "../support/recipes.js";
import { fresh, makeStage, type Stage } from "../support/stage.js";

let test: TestBoard;
let stage: Stage;
let viewers: Viewers;
beforeAll(async () => {
  test = await startBoard(UNLIMITED);
  stage = await makeStage(test);
  viewers = await Viewers.make(test);
}, 60_000);
afterAll(() => test[Symbol.asyncDispose]());

interface State {
  mutation: string;
  /** who gets through; `nobody` where no level does */
  least: Requirement;
  recipe: Recipe;
  ability?: Ability;
  /** whose records; of others by default */
  cases?: Case[];
}

async function check({ mutation, least, recipe, ability, cases = ON_OTHERS }: State): Promise<void> {
  const isAllowed = ({ role }: Case): boolean => permits({ minimum: "member", own: least, others: least }, role, false);
  const run: Walk["run"] = (client, input) => mutate(mutation, client, input, ability);
  await walkViewers(viewers, stage, { cases, isAllowed, recipe, run, yes: "done", no: "403 FORBIDDEN" });
}

const on =
  (make: (by: { id: number }) => Promise<number>, input: Input = {}, id = "id"): Recipe =>
  async (by) => ({ [id]: await make(by), ...input });

describe("a banned post can be changed from Gold on:", () => {
  const banned = () => stage.anotherPost({ is_banned: true });
  it.each<[string, string, Input, string]>([
    ["updatePost", "update", { rating: "EXPLICIT" }, "id"],
    ["createPostVote", "vote", { score: "UP" }, "postId"],
  ])("%s", async (mutation, name, input, id) => {
    await check({ mutation, least: "gold", recipe: on(banned, input, id), ability: ["post", name, id] });
  });

  it("copyNotes", async () => {
    const recipe: Recipe = async () => ({ id: stage.records.posts, otherPostId: await banned() });
    await check({ mutation: "copyNotes", least: "gold", recipe, ability: ["post", "copyNotes", "otherPostId"] });
  });
});

describe("the status lock of a post is set by Admins:", () => {
  it.each(["lockPost", "unlockPost"])("%s", async (mutation) => {
    const make = () => stage.anotherPost({ is_status_locked: mutation === "unlockPost" });
    const recipe = on(make, { locks: ["STATUS"] });
    await check({ mutation, least: "admin", recipe, ability: ["post", "lockStatus"] });
  });
});

describe("a deleted comment", () => {
  it("can be edited only from Janitor on, also by its creator", async () => {
    const recipe = on((by) => stage.another("comments", { creator_id: by.id, is_deleted: true }), { body: "Ahoy!" });
    await check({ mutation: "updateComment", least: "janitor", recipe, ability: ["comment", "update"], cases: ON_OWN });
  });

  it("that staff deleted can be undeleted only from Janitor on, also by its creator", async () => {
    const updater_id = stage.owner.id;
    const make = (by: { id: number }) => stage.another("comments", { creator_id: by.id, updater_id, is_deleted: true });
    const ability: Ability = ["comment", "undelete"];
    await check({ mutation: "undeleteComment", least: "janitor", recipe: on(make), ability, cases: ON_OWN });
  });

  it("can't be voted on", async () => {
    const recipe = on(() => stage.another("comments", { is_deleted: true }), { score: "DOWN" }, "commentId");
    const ability: Ability = ["comment", "vote", "commentId"];
    await check({ mutation: "createCommentVote", least: "nobody", recipe, ability });
  });
});

describe("a topic of the forum", () => {
  const topic = async (by: { id: number }, columns: object = {}): Promise<number> => {
    const id = await stage.another("forum_topics", { creator_id: by.id, ...columns });
    await stage.another("forum_posts", { topic_id: id, creator_id: by.id });
    return id;
  };

  it("that is deleted can be edited only from Janitor on, also by its creator", async () => {
    const recipe = on((by) => topic(by, { is_deleted: true }), { title: "Boats" });
    const ability: Ability = ["forumTopic", "update"];
    await check({ mutation: "updateForumTopic", least: "janitor", recipe, ability, cases: ON_OWN });
  });

  it.each<[string, Input]>([
    ["pinned", { isSticky: true }],
    ["locked", { isLocked: true }],
    ["hidden", { minLevel: 20 }],
  ])("can be %s only from Moderator on, also by its creator", async (_, input) => {
    const ability: Ability = ["forumTopic", "moderate"];
    const recipe = on(topic, input);
    await check({ mutation: "updateForumTopic", least: "moderator", recipe, ability, cases: ON_OWN });
  });

  it("has deleted posts that can be edited only from Janitor on, also by their creators", async () => {
    const make = (by: { id: number }) => stage.another("forum_posts", { creator_id: by.id, is_deleted: true });
    const ability: Ability = ["forumPost", "update"];
    const recipe = on(make, { body: "This one." });
    await check({ mutation: "updateForumPost", least: "janitor", recipe, ability, cases: ON_OWN });
  });
});

describe("an active tag relation can be deleted only by Admins, not by its author:", () => {
  it.each<[string, string, "tag_aliases" | "tag_implications"]>([
    ["deleteTagAlias", "tagAlias", "tag_aliases"],
    ["deleteTagImplication", "tagImplication", "tag_implications"],
  ])("%s", async (mutation, record, table) => {
    const make = ({ id: creator_id }: { id: number }) => {
      const names = { antecedent_name: fresh("boat"), consequent_name: fresh("ship") };
      return stage.another(table, { ...names, creator_id, status: "active" });
    };
    await check({ mutation, least: "admin", recipe: on(make), ability: [record, "delete"], cases: ON_OWN });
  });
});

describe("attributes and limits:", () => {
  const page = () => stage.another("wiki_pages", { title: fresh("ship") });
  const artist = () => stage.another("artists", { name: fresh("by"), is_banned: true });
  const postIds = Array.from({ length: 101 }, (_, index) => index + 1);
  const pool = () => stage.another("pools", { name: fresh("fleet"), post_ids: postIds, post_count: postIds.length });

  it.each<[string, State & { least: MinimumLevel }]>([
    [
      "a banned artist is renamed by Admins",
      {
        mutation: "updateArtist",
        least: "admin",
        recipe: async () => ({ id: await artist(), name: fresh("by") }),
        ability: ["artist", "rename"],
      },
    ],
    [
      "a wiki page is locked by Builders",
      {
        mutation: "updateWikiPage",
        least: "builder",
        recipe: on(page, { isLocked: true }),
        ability: ["wikiPage", "lock"],
      },
    ],
    [
      "a wiki page is deleted by Builders in an edit, too",
      {
        mutation: "updateWikiPage",
        least: "builder",
        recipe: on(page, { isDeleted: true }),
        ability: ["wikiPage", "delete"],
      },
    ],
    [
      "a large pool changes its category by Builders",
      {
        mutation: "updatePool",
        least: "builder",
        recipe: on(pool, { category: "COLLECTION" }),
        ability: ["pool", "changeCategory"],
      },
    ],
    [
      "a comment is made sticky by Janitors",
      {
        mutation: "createComment",
        least: "janitor",
        recipe: async () => ({ postId: stage.records.posts, body: "Ahoy!", isSticky: true }),
      },
    ],
    [
      "a topic is opened sticky by Moderators",
      {
        mutation: "createForumTopic",
        least: "moderator",
        recipe: async () => ({ title: "Ships", originalPostAttributes: { body: "Which?" }, isSticky: true }),
      },
    ],
    [
      "a wiki page is made locked by Builders",
      {
        mutation: "createWikiPage",
        least: "builder",
        recipe: async () => ({ title: fresh("ship"), body: "It swims.", isLocked: true }),
      },
    ],
    [
      "a Moderator is banned by Admins",
      {
        mutation: "banUser",
        least: "admin",
        recipe: on(() => stage.another("users", { name: fresh("sailor"), level: 40 }), { reason: "Piracy." }, "userId"),
      },
    ],
  ])("%s", async (_, state) => check(state));
});

describe("a lock", () => {
  const locked = async (by: { id: number }): Promise<number> => {
    const id = await stage.another("forum_topics", { creator_id: by.id, is_locked: true });
    await stage.another("forum_posts", { topic_id: id, creator_id: by.id });
    return id;
  };
  const post = async (by: { id: number }) =>
    stage.another("forum_posts", { topic_id: await locked(by), creator_id: by.id });
  const page = () => stage.another("wiki_pages", { title: fresh("ship"), is_locked: true });

  /** Those who have the right to it, and only meet the lock. */
  const members = (cases: Case[]): Case[] => cases.filter(({ role }) => role !== "anonymous" && role !== "banned");

  it.each<[string, MinimumLevel, string, string, Recipe, Ability, Case[]]>([
    [
      "a topic",
      "janitor",
      "answers",
      "createForumPost",
      on(locked, { body: "!" }, "topicId"),
      ["forumTopic", "reply", "topicId"],
      ON_OTHERS,
    ],
    ["a topic", "janitor", "edits", "updateForumTopic", on(locked, { title: "B" }), ["forumTopic", "update"], ON_OWN],
    ["a topic", "janitor", "deletions", "deleteForumTopic", on(locked), ["forumTopic", "delete"], ON_OWN],
    [
      "a topic",
      "janitor",
      "edits of posts",
      "updateForumPost",
      on(post, { body: "!" }),
      ["forumPost", "update"],
      ON_OWN,
    ],
    ["a topic", "janitor", "deletions of posts", "deleteForumPost", on(post), ["forumPost", "delete"], ON_OWN],
    ["a wiki page", "builder", "edits", "updateWikiPage", on(page, { body: "!" }), ["wikiPage", "update"], ON_OTHERS],
  ])("on %s is 422 below %s: %s", async (_record, minimum, _what, mutation, recipe, ability, cases) => {
    const isAllowed = ({ role }: Case): boolean => permits({ minimum }, role, false);
    const run: Walk["run"] = (client, input) => mutate(mutation, client, input, ability);
    await walkViewers(viewers, stage, { cases: members(cases), isAllowed, recipe, run, yes: "done", no: "422 LOCKED" });
  });
});

describe("a ban also hides:", () => {
  const search = async (role: Role, tags: string): Promise<number[]> => {
    const { json } = await viewers.clientOf(role).get("/posts.json", { tags });
    return (json as { id: number }[]).map(({ id }) => id);
  };

  it("private favorites and others' votes, visible to Admins who are not banned", async () => {
    const { owner } = stage;
    await test.board.database.user.update({ where: { id: owner.id }, data: { enablePrivateFavorites: true } });
    const id = await stage.anotherPost({ up_score: 1, score: 1, fav_count: 1 });
    await test.board.database.favorite.create({ data: { postId: id, userId: owner.id } });
    await test.board.database.postVote.create({ data: { postId: id, userId: owner.id, score: 1 } });
    for (const tags of [`fav:${owner.name}`, `upvote:${owner.name}`]) {
      expect([await search("admin", tags), await search("banned", tags), await search("moderator", tags)]).toEqual([
        [id],
        [],
        [],
      ]);
    }
    const listed = async (role: Role) =>
      (await viewers.clientOf(role).get("/favorites.json", { search: { user_id: owner.id } })).json.length;
    expect([await listed("admin"), await listed("banned"), await listed("moderator")]).toEqual([1, 0, 0]);
  });

  it("the file of a banned post, visible to Gold and above who are not banned", async () => {
    const id = await stage.anotherPost({ is_banned: true });
    const urls = async (role: Role) => (await viewers.clientOf(role).get(`/posts/${id}.json`)).json.file_url;
    expect(await urls("gold")).toMatch(/^http/);
    expect([await urls("member"), await urls("banned"), await urls("anonymous")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("deleted pools, listed for Janitors who are not banned", async () => {
    const id = await stage.another("pools", { name: fresh("fleet"), is_deleted: true });
    const listed = async (role: Role) =>
      (await viewers.clientOf(role).get("/pools.json", { search: { id } })).json.length;
    expect([await listed("janitor"), await listed("builder"), await listed("banned")]).toEqual([1, 0, 0]);
  });
});
