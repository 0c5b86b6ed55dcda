/** GraphQL errors name the path of the invalid argument, whatever the services and REST call it. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  isInputObjectType,
} from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inputPath } from "../../graphql/shared/errors.js";
import { toSnake } from "../../src/lib/case.js";
import { sharedSchema } from "../../src/http/server.js";
import { startBoard, type TestBoard } from "../support/board.js";

type Field = GraphQLField<unknown, unknown>;
const mutations: Field[] = Object.values(sharedSchema().getMutationType()?.getFields() ?? {});

/** All places in the arguments, as paths. */
function pathsOf(inputs: readonly (GraphQLArgument | GraphQLInputField)[], prefix = ""): string[] {
  return inputs.flatMap(({ name, type }) => {
    const named = getNamedType(type);
    const here = `${prefix}${name}`;
    return isInputObjectType(named) ? pathsOf(Object.values(named.getFields()), `${here}.`) : [here];
  });
}

/** What services call it: the last name, in snake_case. */
const nameOf = (place: string): string => toSnake(place.split(".").at(-1) ?? "");

describe("the path of a field", () => {
  it.each(mutations.map((field) => [field.name, field] as const))(
    "%s: is found by the name of each input",
    (_, field) => {
      const paths = pathsOf(field.args);
      expect(paths.map((place) => inputPath(field, nameOf(place)))).toEqual(paths);
      const within = paths.map((place) => toSnake(place.replace(/^input\./, "").replace(/\.(\w+)/g, "[$1]")));
      const bracketed = within.map((name) => `resource[${name.replace("[", "][").replace(/\]$/, "")}]`);
      expect(bracketed.map((name) => inputPath(field, name))).toEqual(paths);
    },
  );

  it("is found by the name of a record if its id is the input", () => {
    const withNumber = mutations.flatMap((field) =>
      pathsOf(field.args)
        .filter((place) => /\w+Id$/.test(place))
        .map((place) => ({ field, place, record: nameOf(place).replace(/_id$/, "") })),
    );
    expect(withNumber.length).toBeGreaterThan(20);
    expect(withNumber.map(({ field, record }) => inputPath(field, record))).toEqual(
      withNumber.map(({ place }) => place),
    );
  });

  it("exists for every field that services report", () => {
    const folder = (name: string) =>
      readdirSync(name, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .map((file) => readFileSync(path.join(name, file), "utf8"));
    const sources = [...folder("src/resources"), ...folder("src/tagging")].join("\n");
    const names = [...sources.matchAll(/(?:invalid|\.add)\("([a-z_]+)", "[a-z_]+"/g)].map(([, name = ""]) => name);
    const isInput = (name: string) =>
      mutations.some((field) => !["input", "input.id"].includes(inputPath(field, name)));
    expect(new Set(names).size).toBeGreaterThan(20);
    const STATE = ["status"]; // of the record that the input names by its number
    expect([...new Set(names)].filter((name) => !isInput(name) && !STATE.includes(name))).toEqual([]);
  });

  it("always exists", () => {
    for (const field of mutations) {
      const paths = ["input", ...pathsOf(field.args)];
      expect([field.name, field.args.length === 0 || paths.includes(inputPath(field, "status"))]).toEqual([
        field.name,
        true,
      ]);
    }
  });
});

describe("a refusal", () => {
  let test: TestBoard;
  beforeAll(async () => {
    test = await startBoard();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it.each([
    [
      "input.postId",
      { "input.postId": ["does not exist"] },
      "post does not exist",
      `createComment(input: { postId: 999, body: "a" }) { comment { id } }`,
    ],
    [
      "input.body",
      { "input.body": ["is required"] },
      "body is required",
      `createComment(input: { postId: 999, body: " " }) { comment { id } }`,
    ],
    [
      "input.originalPostAttributes.body",
      { "input.originalPostAttributes.body": ["is required"] },
      "body is required",
      `createForumTopic(input: { title: "a", originalPostAttributes: { body: "" } }) { forumTopic { id } }`,
    ],
  ])("has the path, and no brackets: %s of %j, %s", async (field, fields, reason, mutation) => {
    const { client } = await test.make.user("Contributor");
    const { json } = await client.graphql(`mutation { a: ${mutation} }`);
    expect(json.errors[0].extensions).toMatchObject({ field, fields, reason });
  });

  it.each([
    ["input.name", `createArtist(input: { name: "by_alma" }) { artist { id } }`],
    ["input.name", `createPool(input: { name: "fleet", description: "Ships." }) { pool { id } }`],
    ["input.title", `createWikiPage(input: { title: "ship", body: "It swims." }) { wikiPage { id } }`],
    ["input.name", `createUser(input: { name: "alma", password: "a good one" }) { user { id } }`],
  ])("of a taken name has the path: %s of %s", async (field, mutation) => {
    const { client } = await test.make.user();
    await client.graphql(`mutation { ${mutation} }`);
    const { json } = await client.graphql(`mutation { ${mutation} }`);
    const label = field.replace("input.", "");
    expect(json.errors[0].extensions).toEqual({
      code: "ALREADY_EXISTS",
      status: 423,
      reason: `${label} is already taken`,
      field,
      fields: { [field]: ["is already taken"] },
    });
  });

  it("of a ban of a banned user names the user", async () => {
    const { client } = await test.make.user("Moderator");
    const { id } = await test.make.user();
    const ban = `mutation { banUser(input: { userId: ${id}, reason: "Piracy." }) { ban { id } } }`;
    await client.graphql(ban);
    const { json } = await client.graphql(ban);
    expect(json.errors[0].extensions).toEqual({
      code: "ALREADY_EXISTS",
      status: 423,
      reason: "user is already banned",
      field: "input.userId",
      fields: { "input.userId": ["is already banned"] },
    });
  });

  it("about a new pool in a tag string names the tag string", async () => {
    const { client } = await test.make.user("Contributor");
    const { id } = await test.make.post("sea");
    const { json } = await client.graphql(
      `mutation { updatePost(input: { id: ${id}, tagString: "sea newpool:series" }) { post { id } } }`,
    );
    expect(json.errors[0].extensions).toMatchObject({
      field: "input.tagString",
      fields: { "input.tagString": ['has "newpool:series", which is a reserved word'] },
    });
  });

  it("about a child in a tag string names the tag string", async () => {
    const { client } = await test.make.user("Contributor");
    const parent = await test.make.post("sea");
    const { id } = await test.make.post(`sea parent:${parent.id}`);
    const { json } = await client.graphql(
      `mutation { updatePost(input: { id: ${id}, tagString: "sea child:${parent.id}" }) { post { id } } }`,
    );
    expect(json.errors[0].extensions).toMatchObject({
      field: "input.tagString",
      fields: { "input.tagString": [`has "child:${parent.id}", which would make the post its own ancestor`] },
    });
  });

  it("about the state of a record names the input that identifies it", async () => {
    const { client } = await test.make.user("Admin");
    const { id } = await test.make.post();
    const { json } = await client.graphql(`mutation { approvePost(input: { id: ${id} }) { post { id } } }`);
    expect(json.errors[0].extensions).toMatchObject({ field: "input.id", fields: { "input.id": ["is active"] } });
  });

  it("uses REST's names in REST", async () => {
    const { client } = await test.make.user();
    const { json } = await client.post("/comments.json", { comment: { post_id: 999, body: "a" } });
    expect(json.errors).toEqual({ post: ["does not exist"] });
  });
});
