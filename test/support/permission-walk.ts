/** Runs an operation as each kind of viewer, and compares the results with the permissions. */
import { type GraphQLField, type GraphQLObjectType } from "graphql";
import { expect } from "vitest";
import type { LevelName } from "../../src/runtime/auth/levels.js";
import { type Role, ROLES } from "../../scripts/roles.js";
import { sharedSchema } from "../../src/http/server.js";
import type { TestBoard } from "./board.js";
import type { Client } from "./client.js";
import type { TestUser } from "./factory.js";
import type { Input, Recipe } from "./recipes.js";
import type { Stage } from "./stage.js";
import { digestOf } from "./traces.js";

/** Limits that so many requests would reach. */
export const UNLIMITED = {
  UPLOADS_PER_DAY: "1000",
  FLAGS_PER_DAY: "1000",
  APPEALS_PER_DAY: "1000",
  COMMENTS_PER_HOUR: "1000",
};

type Field = GraphQLField<unknown, unknown>;

/** The fields of a type, by name: in whatever order the resolvers are. */
export const fieldsOf = (type: GraphQLObjectType | null | undefined): Field[] =>
  Object.values(type?.getFields() ?? {}).sort((one, other) => (one.name < other.name ? -1 : 1));
export const mutations = fieldsOf(sharedSchema().getMutationType());

export interface Case {
  role: Role;
  /** whether the record is the viewer's own */
  isOwn: boolean;
}

/** All kinds of viewers, on records of somebody else's. */
export const ON_OTHERS: Case[] = ROLES.map((role) => ({ role, isOwn: false }));
/** All that have records, on their own. */
export const ON_OWN: Case[] = ROLES.filter((role) => role !== "anonymous").map((role) => ({ role, isOwn: true }));

export interface Walk {
  cases: Case[];
  isAllowed: (each: Case) => boolean;
  recipe: Recipe;
  /** sends the input as the viewer, and summarizes the response in a word */
  run: (client: Client, input: Input) => Promise<string>;
  /** the word for success */
  yes: string;
  /** the word for a refusal */
  no: string;
}

/** A viewer of each kind. The banned one is an Admin, since a ban removes every right. */
export class Viewers {
  private constructor(
    private readonly test: TestBoard,
    private readonly users: ReadonlyMap<Role, TestUser>,
  ) {}

  static async make(test: TestBoard): Promise<Viewers> {
    const users = new Map<Role, TestUser>();
    for (const role of ROLES) {
      if (role === "anonymous") continue;
      const name = role === "banned" ? "admin" : role;
      const level = `${name.charAt(0).toUpperCase()}${name.slice(1)}` as Exclude<LevelName, "Anonymous">;
      users.set(role, await test.make.user(level));
    }
    await test.board.database.user.update({ where: { id: users.get("banned")?.id }, data: { isBanned: true } });
    // What they undo is in no counter, and is counted down nevertheless.
    const data = { postUploadCount: 1000, noteUpdateCount: 1000, favoriteCount: 1000, postUpdateCount: 1000 };
    await test.board.database.user.updateMany({ data });
    return new Viewers(test, users);
  }

  clientOf(role: Role): Client {
    return this.users.get(role)?.client ?? this.test.anonymous;
  }

  /** Null for visitors. */
  userOf(role: Role): TestUser | null {
    return this.users.get(role) ?? null;
  }
}

/** Refused viewers must leave every table unchanged; all others must succeed. */
export async function walkViewers(viewers: Viewers, stage: Stage, walk: Walk): Promise<void> {
  const { cases, isAllowed, recipe, run, yes, no } = walk;
  const name = ({ role, isOwn }: Case): string => (isOwn ? `${role}, own` : role);
  const prepare = ({ role, isOwn }: Case): Promise<Input> => {
    const viewer = viewers.userOf(role);
    return recipe((isOwn && viewer) || stage.owner, viewer);
  };
  const send = async (each: Case, input: Input) => `${name(each)}: ${await run(viewers.clientOf(each.role), input)}`;

  const refused = cases.filter((each) => !isAllowed(each));
  const inputs = await Promise.all(refused.map(prepare));
  const before = await digestOf(stage.test);
  const refusals = await Promise.all(refused.map((each, index) => send(each, inputs[index] ?? {})));
  expect(refusals).toEqual(refused.map((each) => `${name(each)}: ${no}`));
  expect(await digestOf(stage.test)).toEqual(before);

  const allowed = cases.filter(isAllowed);
  const answers = [];
  for (const each of allowed) answers.push(await send(each, await prepare(each)));
  expect(answers).toEqual(allowed.map((each) => `${name(each)}: ${yes}`));
}

/** An ability of a record: the record's field of the schema, the ability, and the input's field with its number. */
export type Ability = [record: string, ability: string, id?: string];

/** What `viewerCan` says of it; without an ability, undefined. */
async function viewerCan(client: Client, input: Input, ability?: Ability): Promise<unknown> {
  if (!ability) return undefined;
  const [record, name, id = "id"] = ability;
  const argument = record === "artistCommentary" ? "postId" : "id";
  const document = `query($id: Int!) { ${record}(${argument}: $id) { viewerCan { ${name} } } }`;
  const { json, text } = await client.graphql(document, { id: input[id] });
  return json.data?.[record]?.viewerCan[name] ?? text;
}

/**
 * Runs the mutation, and compares it with what `viewerCan` said before.
 * @returns "done"; the status of a 403 or 422; or all that was answered
 */
export async function mutate(field: string, client: Client, input: Input, ability?: Ability): Promise<string> {
  const can = await viewerCan(client, input, ability);
  const type = mutations.find(({ name }) => name === field)?.args[0]?.type;
  const [head, argument] = type ? [`($input: ${String(type)})`, "(input: $input)"] : ["", ""];
  const { json, text } = await client.graphql(`mutation${head} { ${field}${argument} { __typename } }`, { input });
  const [error] = (json.errors ?? []) as { extensions: { code: string; status: number } }[];
  const { code, status } = error?.extensions ?? {};
  const known = code === "FORBIDDEN" || status === 422 ? `${status} ${code}` : text;
  const outcome = error ? known : "done";
  return can === undefined || can === !error ? outcome : `${outcome}, but viewerCan: ${JSON.stringify(can)}`;
}
