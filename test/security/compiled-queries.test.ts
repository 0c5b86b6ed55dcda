/** Documents are compiled at their second use: nothing in a client's text becomes code, or changes what the response says. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { processorTime } from "../support/timing.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
  await test.make.post("kitten");
});
afterAll(() => test[Symbol.asyncDispose]());

/** The responses to the same document, sent four times. */
async function answers(query: string, variables: Record<string, unknown> = {}): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let time = 0; time < 4; time += 1) all.push((await test.anonymous.graphql(query, variables)).json);
  return all;
}

/** What the compiler of documents replaces by an expression. */
const MARK = "__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d";
const ran = (): unknown => (globalThis as { ran?: unknown }).ran;

describe("a text that looks like a mark of the compiler", () => {
  const code = `${MARK}globalThis.ran=1`;
  it.each([
    ["an argument", `{ posts(tags: "${code}") { nodes { id } } }`],
    ["an argument with an escaped letter", `{ posts(tags: "${code.replace("_", "\\u005f")}") { nodes { id } } }`],
    ["a block string", `{ posts(tags: """${code}""") { nodes { id } } }`],
    ["a field of an input", `{ tags(search: { name: "${code}" }) { nodes { id } } }`],
    ["a list", `{ nodes(ids: ["${code}"]) { id } }`],
    ["a default value", `query($tags: String = "${code}") { posts(tags: $tags) { nodes { id } } }`],
    ["a fragment's argument", `{ ...F } fragment F on Query { posts(tags: "${code}") { nodes { id } } }`],
  ])("is only text as %s", async (_, query) => {
    const [first, ...later] = await answers(query);
    expect(ran()).toBeUndefined();
    expect(later).toEqual([first, first, first]);
  });

  it("is only text as a variable", async () => {
    const query = "query($tags: String) { posts(tags: $tags) { nodes { id } } }";
    const [first, ...later] = await answers(query, { tags: code });
    expect(ran()).toBeUndefined();
    expect(later).toEqual([first, first, first]);
  });
});

describe("a document with aliases", () => {
  it("has the same response every time, even if joined names are the same", async () => {
    const [first, ...later] = await answers("{ a: post(id: 1) { x_b: nodeId } b_a: user(id: 1) { x: nodeId } }");
    const data = { a: { x_b: btoa("Post:1") }, b_a: { x: btoa("User:1") } };
    expect(first).toMatchObject({ data });
    expect(later).toEqual([first, first, first]);
  });

  it("is refused if an alias is longer than 100 characters", async () => {
    const aliased = (length: number) => `{ ${"a".repeat(length)}: posts { nodes { id } } }`;
    expect((await test.anonymous.graphql(aliased(100))).json.errors).toBeUndefined();
    const { json } = await test.anonymous.graphql(aliased(101));
    expect(json.errors[0].message).toBe("the query is too wordy (an alias is longer than 100 characters)");
  });
});

describe("a long document", () => {
  /** One of 900 selections, another one for each number. */
  const documentOf = (number: number): string => {
    const parents = Array.from({ length: 49 }, (_, index) => `a${number}x${index}: parent { ...F }`).join(" ");
    const fields =
      "id score md5 rating source createdAt updatedAt upScore downScore favCount uploader { id name level }";
    return `{ post(id: 1) { ${parents} } } fragment F on Post { ${fields} }`;
  };
  const documents = [...Array(10).keys()].map(documentOf);
  const sendAll = () =>
    processorTime(async () => {
      for (const query of documents) expect((await test.anonymous.graphql(query)).status).toBe(200);
    });

  it("costs no more at its second use than at its first, when it is parsed", async () => {
    const first = await sendAll();
    expect(await sendAll()).toBeLessThan(first);
  });

  it("costs nothing for an operation beside the one that runs, whose fragments double its selections 25 times", async () => {
    const doubling = Array.from(
      { length: 25 },
      (_, index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`,
    );
    const fragments = [...doubling, "fragment F25 on Query { __typename }"].join(" ");
    const query = `query Small { post(id: 1) { id } } query Large { ...F0 } ${fragments}`;
    const send = () => test.anonymous.json("POST", "/graphql", { query, operationName: "Small" });
    expect((await send()).json.data).toEqual({ post: { id: 1 } });
    expect(await processorTime(send)).toBeLessThan(1_000);
  });
});
