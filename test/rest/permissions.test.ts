/** The whole table of src/resources/permissions.ts over HTTP: each row and each mutation, as each kind of viewer. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ResourceRow } from "../../rest/adapter/row.js";
import { READS, SUBSCRIPTIONS, WRITES } from "../../src/resources/permissions.js";
import type { Permission } from "../../src/resources/shared/policy.js";
import { permits, ROLES } from "../../scripts/roles.js";
import { sharedSchema } from "../../src/http/server.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client } from "../support/client.js";
import {
  type Ability,
  type Case,
  fieldsOf,
  mutate,
  mutations,
  ON_OTHERS,
  ON_OWN,
  UNLIMITED,
  Viewers,
  type Walk,
  walkViewers,
} from "../support/permission-walk.js";
import { ENDS_KEYS, type Input, type Recipe, recipesOn } from "../support/recipes.js";
import { ASKED, fieldOf, isRead, rows, send, tableOf } from "../support/rest-rows.js";
import { type Site, startSite } from "../support/site.js";
import { makeStage, type Stage } from "../support/stage.js";
import { digestOf } from "../support/traces.js";

const queries = fieldsOf(sharedSchema().getQueryType());
const subscriptions = fieldsOf(sharedSchema().getSubscriptionType());

const permissionOf = (field: string): Permission => {
  const permission = WRITES[field] ?? READS[field];
  if (!permission) throw new Error(`${field} is not in the table`);
  return permission;
};

describe("the table of permissions", () => {
  const gates = (permissions: Readonly<Record<string, Permission>>) =>
    Object.fromEntries(Object.entries(permissions).map(([name, { minimum }]) => [name, minimum]));
  const accesses = (fields: typeof queries) =>
    Object.fromEntries(fields.map((field) => [field.name, field.extensions.access]));

  it("has every query, with the schema's minimum level", () => {
    expect(gates(READS)).toEqual(accesses(queries));
  });

  it("has every mutation, with the schema's minimum level", () => {
    expect(gates(WRITES)).toEqual(accesses(mutations));
  });

  it("has every subscription, with the schema's minimum level", () => {
    expect(gates(SUBSCRIPTIONS)).toEqual(accesses(subscriptions));
  });

  it("has every row of the REST interface", () => {
    const fields = rows.map(([, row]) => fieldOf(row));
    expect(fields.filter((field) => !WRITES[field] && !READS[field])).toEqual([]);
  });
});

let site: Site;
let test: TestBoard;
let stage: Stage;
let recipes: Record<string, Recipe>;
let viewers: Viewers;
beforeAll(async () => {
  site = await startSite();
  test = await startBoard({ SOURCE_ALLOW_HOSTS: site.host, ...UNLIMITED });
  stage = await makeStage(test);
  viewers = await Viewers.make(test);
  recipes = recipesOn(stage, site);
}, 60_000);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const recipeOf = (field: string): Recipe => {
  const recipe = recipes[field];
  if (!recipe) throw new Error(`there is no recipe for ${field}`);
  return recipe;
};

/** Each kind of viewer on a record of somebody else's; where that makes a difference, on an own one too. */
const walk = async (field: string, ways: Pick<Walk, "run" | "yes" | "no">): Promise<void> => {
  const permission = permissionOf(field);
  const cases = permission.own === permission.others ? ON_OTHERS : [...ON_OTHERS, ...ON_OWN];
  const isAllowed = ({ role, isOwn }: Case): boolean => permits(permission, role, isOwn);
  const asking = ENDS_KEYS.has(field) ? await Viewers.make(test) : viewers;
  return walkViewers(asking, stage, { cases, isAllowed, recipe: recipeOf(field), ...ways });
};

it("the digest of all tables detects the smallest change, and names the table", async () => {
  const before = await digestOf(test);
  await test.board.database.comment.update({ where: { id: stage.records.comments }, data: { score: 7 } });
  const after = await digestOf(test);
  expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual(["comments"]);
});

describe("reads of the REST interface", () => {
  it.each(rows.filter(isRead))("%s is allowed to exactly those in the table", async (name, row, chosen) => {
    const permission = permissionOf(fieldOf(row));
    const ids: Record<string, number> = { id: await lowestId(row), post_id: stage.records.posts };
    const path = row.path.replace(/:(\w+)/g, (_, id: string) => String(ids[id]));
    const before = await digestOf(test);
    const answers = await Promise.all(
      ROLES.map(async (role) => {
        const { status, json } = await viewers.clientOf(role).get(`${path}.json`, { ...ASKED[name], ...chosen });
        return [role, status, status === 403 ? json.success : true];
      }),
    );
    const expected = ROLES.map((role) => (permits(permission, role, true) ? [role, 200, true] : [role, 403, false]));
    expect(answers).toEqual(expected);
    expect(await digestOf(test)).toEqual(before);
  });

  /** Of the row's table, which is named as its listing; 0 where the path names no record. */
  async function lowestId(row: ResourceRow): Promise<number> {
    if (!row.path.includes(":id")) return 0;
    const found = await test.board.pool.query<{ id: number }>(`SELECT min(id) AS id FROM ${tableOf(row)}`);
    return found.rows[0]?.id ?? 0;
  }
});

describe("writes of the REST interface", () => {
  it.each(rows.filter((row) => !isRead(row)))("%s is allowed to exactly those in the table", async (_, row) => {
    const run = async (client: Client, input: Input): Promise<string> => {
      const { status, json, text } = await send(row, client, input);
      // a read by its method has no envelope
      if (status === 200) return row.method === "GET" || json.success === true ? "200" : text;
      return status === 403 && json.success === false ? "403" : text;
    };
    await walk(fieldOf(row), { yes: "200", no: "403", run });
  });
});

/** Which ability of a record says whether the mutation is going to be allowed. */
const ABILITIES: Record<string, Ability> = {
  updatePost: ["post", "update"],
  revertPost: ["post", "update"],
  copyNotes: ["post", "copyNotes", "otherPostId"],
  createPostVote: ["post", "vote", "postId"],
  createPostFlag: ["post", "flag", "postId"],
  createPostAppeal: ["post", "appeal", "postId"],
  approvePost: ["post", "approve"],
  deletePost: ["post", "delete"],
  undeletePost: ["post", "undelete"],
  banPost: ["post", "ban"],
  unbanPost: ["post", "ban"],
  lockPost: ["post", "lock"],
  unlockPost: ["post", "lock"],
  movePostFavorites: ["post", "moveFavorites"],
  expungePost: ["post", "expunge"],
  updateNote: ["note", "update"],
  deleteNote: ["note", "delete"],
  revertNote: ["note", "update"],
  updateComment: ["comment", "update"],
  deleteComment: ["comment", "delete"],
  undeleteComment: ["comment", "undelete"],
  createCommentVote: ["comment", "vote", "commentId"],
  updatePool: ["pool", "update"],
  revertPool: ["pool", "update"],
  deletePool: ["pool", "delete"],
  undeletePool: ["pool", "delete"],
  updateArtist: ["artist", "update"],
  revertArtist: ["artist", "update"],
  deleteArtist: ["artist", "delete"],
  undeleteArtist: ["artist", "delete"],
  banArtist: ["artist", "ban"],
  unbanArtist: ["artist", "ban"],
  updateWikiPage: ["wikiPage", "update"],
  revertWikiPage: ["wikiPage", "update"],
  deleteWikiPage: ["wikiPage", "delete"],
  createForumPost: ["forumTopic", "reply", "topicId"],
  updateForumTopic: ["forumTopic", "update"],
  deleteForumTopic: ["forumTopic", "delete"],
  undeleteForumTopic: ["forumTopic", "undelete"],
  updateForumPost: ["forumPost", "update"],
  deleteForumPost: ["forumPost", "delete"],
  undeleteForumPost: ["forumPost", "undelete"],
  approveTagAlias: ["tagAlias", "decide"],
  rejectTagAlias: ["tagAlias", "decide"],
  deleteTagAlias: ["tagAlias", "delete"],
  approveTagImplication: ["tagImplication", "decide"],
  rejectTagImplication: ["tagImplication", "decide"],
  deleteTagImplication: ["tagImplication", "delete"],
  revertArtistCommentary: ["artistCommentary", "update", "postId"],
};

describe("mutations", () => {
  it.each(mutations.map(({ name }) => name))(
    "%s is allowed to exactly those in the table and by viewerCan",
    async (field) => {
      const run = (client: Client, input: Input) => mutate(field, client, input, ABILITIES[field]);
      await walk(field, { yes: "done", no: "403 FORBIDDEN", run });
    },
  );

  it("correspond to the abilities of viewerCan", () => {
    expect(Object.keys(ABILITIES).filter((field) => !WRITES[field])).toEqual([]);
  });
});
