/** The `map` of a GraphQL multipart request can only refer to its own variables. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { filesOf } from "../support/traces.js";

let test: TestBoard;
let user: TestUser;
let picture: Blob;
beforeAll(async () => {
  test = await startBoard();
  user = await test.make.user("Contributor");
  picture = await test.make.picture();
});
afterAll(() => test[Symbol.asyncDispose]());

const UPLOAD = "mutation($input: CreateUploadInput!) { createUpload(input: $input) { upload { id } } }";
const VARIABLES = {
  input: { file: null, tagString: "mapped", rating: "SAFE", text: "x" },
  list: [null],
  deep: { a: { b: { c: { d: { e: { f: { g: { h: { i: { j: null } } } } } } } } } },
};

async function send(
  map: unknown,
  operations = JSON.stringify({ query: UPLOAD, variables: VARIABLES }),
): Promise<Answer> {
  const form = new FormData();
  form.append("operations", operations);
  form.append("map", typeof map === "string" ? map : JSON.stringify(map));
  form.append("0", picture, "a.png");
  const headers = { "apollo-require-preflight": "true" };
  return user.client.send("/graphql", { method: "POST", body: form, headers });
}

/** All that every object, array, function and text has, as it is now: the server is in this very process. */
const builtins = (): unknown[] =>
  [Object, Array, Function, String, Promise, Map]
    .flatMap((type): object[] => [type, type.prototype as object])
    .flatMap((each) =>
      Reflect.ownKeys(each).flatMap((key) => [key, Object.getOwnPropertyDescriptor(each, key)?.value as unknown]),
    );

/** Expects that each request is refused, and that none of them wrote anything anywhere. */
async function expectRefused(
  requests: readonly string[],
  sendOne: (request: string) => Promise<Answer>,
): Promise<void> {
  const [before, files, posts] = [builtins(), await filesOf(test), await test.board.database.post.count()];
  for (const request of requests) {
    const { status, json } = await sendOne(request);
    expect([request, status, json.errors[0].extensions.code]).toEqual([request, 424, "INVALID_PARAMETERS"]);
  }
  const after = builtins();
  expect([after.length, after.findIndex((each, index) => !Object.is(each, before[index]))]).toEqual([
    before.length,
    -1,
  ]);
  expect(({} as { file?: unknown }).file).toBeUndefined();
  await expect.poll(() => filesOf(test)).toEqual(files);
  expect(await test.board.database.post.count()).toBe(posts);
  expect((await test.anonymous.get("/posts.json")).status).toBe(200);
}

const INHERITED = [
  ...Reflect.ownKeys(Object.prototype),
  ...Reflect.ownKeys(Array.prototype),
  ...Reflect.ownKeys(Function.prototype),
  "prototype",
].filter((name) => typeof name === "string");

describe("a map path that is not a null in the variables is 424", () => {
  it.each([...new Set(INHERITED)])(
    "through %s",
    async (name) => {
      const paths = [
        name,
        `${name}.call`,
        `${name}.x`,
        `variables.${name}`,
        `variables.${name}.x`,
        `variables.input.${name}`,
        `variables.input.${name}.call`,
        `variables.input.text.${name}`,
        `variables.list.${name}`,
        `variables.list.${name}.x`,
      ];
      await expectRefused(paths, (path) => send({ "0": [path] }));
    },
    60_000,
  );

  it.each([
    [
      "the operation",
      ["query", "operations", "operations.query", "operationName", "variables", "0.variables.input.file"],
    ],
    [
      "nowhere",
      ["variables.", "variables.nowhere", "variables.nowhere.file", "variables..file", "variables.input.nowhere"],
    ],
    ["what is no null", ["variables.input", "variables.input.text", "variables.list", "variables.input.tagString.0"]],
    ["other indexes", ["variables.list.1", "variables.list.-1", "variables.list.00", "variables.list.1e0"]],
    ["the length of a list", ["variables.list.length", "variables.list.9999999999"]],
    ["too deep", ["variables.deep.a.b.c.d.e.f.g.h.i.j"]],
    [
      "no names",
      ["variables.in put", "variables.input.file\u0000", "variables.input.file.", ".variables.input.file", ""],
    ],
  ])("to %s", async (_, paths) => {
    await expectRefused(paths, (path) => send({ "0": [path] }));
  });

  it("through own properties of those names, which JSON can have", async () => {
    const variables = `{"__proto__": {"file": null}, "constructor": {"prototype": {"file": "x"}}}`;
    const operations = `{"query": ${JSON.stringify(UPLOAD)}, "variables": ${variables}}`;
    const paths = ["variables.__proto__.file", "variables.constructor.prototype.file"];
    await expectRefused(paths, (path) => send({ "0": [path] }, operations));
  });

  it.each([
    ["no object", ["[]", "null", "1", '"x"', "{", "", '[["variables.input.file"]]']],
    ["without lists", ['{"0": "variables.input.file"}', '{"0": {"0": "variables.input.file"}}', '{"0": null}']],
    ["with what is no path", ['{"0": [1]}', '{"0": [null]}', '{"0": [["variables.input.file"]]}', '{"0": [{}]}']],
    ["of files that do not come", ['{"1": ["variables.input.file"]}', '{"0": [], "1": []}', '{"__proto__": []}']],
    ["of many places", [JSON.stringify({ "0": Array(11).fill("variables.input.file") })]],
    ["of many files", [JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, name) => [name, []])))]],
    ["of a long path", [JSON.stringify({ "0": [`variables${".input".repeat(50_000)}`] })]],
  ])("that is %s", async (_, maps) => {
    await expectRefused(maps, (map) => send(map));
  });

  it.each(["[]", "null", "{", '"x"', "1", ""])("with the operations %j", async (operations) => {
    await expectRefused([operations], (each) => send({ "0": ["variables.input.file"] }, each));
  });
});

it("a map path to a null in the variables puts the file there", async () => {
  const { json } = await send(
    { "0": ["variables.input.file"] },
    JSON.stringify({
      query: UPLOAD,
      variables: { input: { file: null, tagString: "mapped", rating: "SAFE" } },
    }),
  );
  expect(json).toMatchObject({ data: { createUpload: { upload: { id: expect.any(Number) as number } } } });
});
