/**
 * The tables of src/resources/permissions.ts over GraphQL: every root field as each kind of viewer, on own records and
 * on others', and from it every path to restricted fields. All records are in a state that restricts them: posts are
 * banned, comments deleted, topics hidden, favorites private.
 */
import { getNamedType, type GraphQLField, isInterfaceType, isObjectType } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { FIELDS, READS } from "../../src/resources/permissions.js";
import type { Permission } from "../../src/resources/shared/policy.js";
import { permits, type Role, ROLES } from "../../scripts/roles.js";
import { sharedSchema } from "../../src/http/server.js";
import { startBoard, type TestBoard, UNCOUNTED } from "../support/board.js";
import { fieldsOf, Viewers } from "../support/permission-walk.js";
import { argumentsOf, guardedSelection, tableOf } from "../support/selections.js";
import { makeStage, type Stage } from "../support/stage.js";

type Field = GraphQLField<unknown, unknown>;
type Json = Record<string, unknown>;

const IP = "203.0.113.77";
const queries = fieldsOf(sharedSchema().getQueryType()).filter(({ name }) => name !== "node");

let test: TestBoard;
let stage: Stage;
let viewers: Viewers;
beforeAll(async () => {
  test = await startBoard({ GRAPHQL_MAX_COMPLEXITY: "100000000", GRAPHQL_MAX_ALIASES: "1000", ...UNCOUNTED });
  stage = await makeStage(test);
  viewers = await Viewers.make(test);
  await guardEverything();
}, 60_000);
afterAll(() => test[Symbol.asyncDispose]());

/** Puts every record into its most restricted state, and gives it an address. */
async function guardEverything(): Promise<void> {
  const { database } = test.board;
  const { posts, users, forum_topics: topic } = stage.records;
  await database.favorite.create({ data: { postId: posts, userId: users } });
  await database.post.updateMany({ data: { isBanned: true } });
  await database.favoriteGroup.updateMany({ data: { isPublic: false } });
  await database.comment.updateMany({ data: { isDeleted: true } });
  await database.forumPost.updateMany({ data: { isDeleted: true } });
  await database.forumTopic.updateMany({ data: { minLevel: 40 } });
  await database.user.updateMany({ data: { enablePrivateFavorites: true } });
  await database.modAction.updateMany({ data: { subjectType: "ForumTopic", subjectId: topic } });
  await database.upload.updateMany({ data: { md5Confirmation: "d41d8cd98f00b204e9800998ecf8427e" } });
  for (const relation of ["tag_aliases", "tag_implications"]) {
    await test.board.pool.query(`UPDATE ${relation} SET forum_topic_id = ${topic}`);
  }
  const columns = await database.query<{ table: string; column: string }>(sql`
    SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name LIKE '%\_ip'`);
  for (const { table, column } of columns) await test.board.pool.query(`UPDATE "${table}" SET ${column} = '${IP}'`);
}

/** Columns that say whose a record is, by the type. */
const OWNERS: Record<string, string> = {
  Comment: "creator_id",
  Dmail: "owner_id",
  Favorite: "user_id",
  FavoriteGroup: "creator_id",
  FavoriteGroupVersion: "updater_id",
  PostFlag: "creator_id",
  Upload: "uploader_id",
  User: "id",
};

/** Whose the records are: type and number -> user. */
async function readOwners(): Promise<Map<string, number>> {
  const rows = await Promise.all(
    Object.entries(OWNERS).map(([type, column]) =>
      test.board.pool.query<{ key: string; owner: number }>(
        `SELECT '${type}:' || id AS key, ${column} AS owner FROM ${tableOf(type)}`,
      ),
    ),
  );
  return new Map(rows.flatMap((found) => found.rows).map(({ key, owner }) => [key, owner]));
}

/** One kind of viewer, whose answers are compared with the tables. */
class Walk {
  /** what arrived though it should not, or did not though it should */
  readonly wrong: string[] = [];
  /** which fields were shown, and which hidden */
  readonly met = new Set<string>();

  constructor(
    private readonly role: Role,
    private readonly viewerId: number | null,
    private readonly owners: ReadonlyMap<string, number>,
  ) {}

  may(permission: Permission, ownerId: number | undefined): boolean {
    return permits(permission, this.role, ownerId !== undefined && ownerId === this.viewerId);
  }

  ownerOf(type: string, id: unknown): number | undefined {
    return this.owners.get(`${type}:${String(id)}`);
  }

  /** @param ownerId whose the record is that the value belongs to */
  check(value: unknown, path: string, ownerId?: number): void {
    if (Array.isArray(value)) value.forEach((item) => this.check(item, path, ownerId));
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    const record = value as Json;
    const type = String(record.__typename);
    const owner = this.ownerOf(type, record.id) ?? ownerId;
    this.judge(type, path, owner, true);
    for (const [name, each] of Object.entries(record)) {
      this.judge(`${type}.${name}`, path, owner, !isEmpty(each));
      if (name === "favoritedBy") this.checkFavorites(each as Json[], `${path}.${name}`);
      this.check(each, `${path}.${name}`, owner);
    }
  }

  /** A user in this list reveals a favorite. */
  private checkFavorites(users: Json[], path: string): void {
    for (const { id } of users) this.judge("Favorite", path, Number(id), true);
  }

  /** Compares whether a field was shown with whether it may be. */
  judge(key: string, path: string, ownerId: number | undefined, isShown: boolean): void {
    const permission = FIELDS[key];
    if (!permission) return;
    this.met.add(`${key} ${isShown ? "shown" : "hidden"}`);
    if (this.may(permission, ownerId) !== isShown) this.wrong.push(`${path}: ${key} ${isShown ? "shown" : "hidden"}`);
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** Records of the viewer's own, the newest of their kind. @returns their numbers by the type */
async function makeOwn(role: Role): Promise<Record<string, number>> {
  const user = viewers.userOf(role);
  if (!user) return {};
  const { posts: postId } = stage.records;
  await test.board.database.favorite.create({ data: { postId, userId: user.id } });
  return {
    Comment: await stage.another("comments", { creator_id: user.id }),
    ...(await makeOwnGroup(user.id)),
    Dmail: await stage.another("dmails", { owner_id: user.id, to_id: user.id }),
    PostFlag: await stage.another("post_flags", { creator_id: user.id }),
    Upload: await stage.another("uploads", { uploader_id: user.id }),
    User: user.id,
  };
}

/** A private favorite group, with its version. */
async function makeOwnGroup(creator_id: number): Promise<Record<string, number>> {
  const FavoriteGroup = await stage.another("favorite_groups", { creator_id });
  const version = { favorite_group_id: FavoriteGroup, updater_id: creator_id };
  return { FavoriteGroup, FavoriteGroupVersion: await stage.version("favorite_group_versions", version) };
}

const recordOf = (type: string): number => (stage.records as Record<string, number>)[tableOf(type)] ?? 1;

interface Outcome {
  value: unknown;
  /** of the first error; null without one */
  status: number | null;
  text: string;
}

async function ask(role: Role, name: string, document: string): Promise<Outcome> {
  const { json, text } = await viewers.clientOf(role).graphql(document);
  const [error] = (json.errors ?? []) as { extensions: { status: number } }[];
  return { value: json.data?.[name] ?? null, status: error?.extensions.status ?? null, text };
}

/** The field on the record of this number; a list, whose records lead where one of them alone leads, without those ways. */
function documentOf(field: Field, id: number | null): string {
  const isAskedAlone = queries.some((each) => takesId(each) && getNamedType(each.type).name === recordTypeOf(field));
  const hops = id !== null ? 2 : isAskedAlone ? 0 : 1;
  return `{ ${field.name}${argumentsOf(field, id)} ${guardedSelection(field.type, hops)} }`;
}

const recordTypeOf = ({ type }: Field): string => getNamedType(type).name.replace(/Connection$/, "");

const nodeOf = (type: string, id: number, field: Field): string =>
  `{ node(nodeId: "${Buffer.from(`${type}:${id}`).toString("base64url")}") { ... on ${type} ${guardedSelection(field.type, 0)} } }`;

/** Whether the type's records are found by their number, and by `node`. */
const isNode = (field: Field): boolean => {
  const type = getNamedType(field.type);
  return isObjectType(type) && type.getInterfaces().some(({ name }) => name === "Node") && takesId(field);
};
const takesId = ({ args }: Field): boolean => args.some(({ name }) => name === "id");

describe("every query", () => {
  const met = new Set<string>();

  it.each(ROLES)("as %s returns what the tables say, and nothing else", async (role) => {
    const own = await makeOwn(role);
    const walk = new Walk(role, viewers.userOf(role)?.id ?? null, await readOwners());
    for (const field of queries) {
      const type = getNamedType(field.type).name;
      const ids = takesId(field) ? [recordOf(type), ...(own[type] === undefined ? [] : [own[type]])] : [null];
      for (const id of ids) await askAndJudge(role, walk, field, id);
    }
    expect(walk.wrong).toEqual([]);
    for (const each of walk.met) met.add(each);
  });

  it("covered every restricted field, both shown and hidden", () => {
    const all = Object.keys(FIELDS).flatMap((key) => [`${key} hidden`, `${key} shown`]);
    // whoever sees a hidden topic sees the texts of its deleted posts
    const unseen = ["Favorite hidden", "ForumPost.body hidden", "ForumPost.bodyHtml hidden"];
    expect([...met].sort()).toEqual(all.filter((each) => !unseen.includes(each)).sort());
  });

  async function askAndJudge(role: Role, walk: Walk, field: Field, id: number | null): Promise<void> {
    const type = getNamedType(field.type).name;
    const permission = READS[field.name] as Permission;
    const owner = id === null ? undefined : walk.ownerOf(type, id);
    const isAllowed = id === null ? permits(permission, role, true) : walk.may(permission, owner);
    const path = id === null ? field.name : `${field.name}(${id})`;
    const outcome = await ask(role, field.name, documentOf(field, id));
    expect([path, outcome.status]).toEqual([path, isAllowed ? null : 403]);
    expect(outcome.text).not.toContain(IP);
    if (id !== null) {
      walk.judge(type, path, owner, outcome.value !== null);
      if (!FIELDS[type] && (outcome.value !== null) !== isAllowed) walk.wrong.push(`${path}: ${outcome.text}`);
    }
    walk.check(outcome.value, path);
    if (id === null || !isNode(field)) return;
    const byNode = await ask(role, "node", nodeOf(type, id, field));
    expect([path, byNode.value === null, byNode.status]).toEqual([path, outcome.value === null, outcome.status]);
    walk.check(byNode.value, `node: ${path}`);
  }
});

describe("the schema", () => {
  const types = Object.values(sharedSchema().getTypeMap()).filter(
    (type) => isObjectType(type) || isInterfaceType(type),
  );

  it("has all restricted fields of the table", () => {
    const names = types.flatMap((type) => [
      type.name,
      ...Object.keys(type.getFields()).map((name) => `${type.name}.${name}`),
    ]);
    expect(Object.keys(FIELDS).filter((key) => !names.includes(key))).toEqual([]);
  });

  it("has secrets only in a user's settings, and no IP fields", () => {
    const records = types.filter(({ name }) => name !== "Mutation"); // whose fields are verbs
    const secrets = records.flatMap((type) =>
      Object.keys(type.getFields())
        .filter(
          (name) =>
            /password|apiKey|email|(^|[a-z])Ip(s|Addr.*)?$|^ip|lastLogged|hash/i.test(name) &&
            !/script|tip/i.test(name),
        )
        .map((name) => `${type.name}.${name}`),
    );
    expect(secrets).toEqual(["OwnSettings.apiKey", "OwnSettings.email", "OwnSettings.lastLoggedInAt"]);
  });
});
