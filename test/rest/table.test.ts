/** The table of rows: complete by the coverage file, authorised, and the same whether compiled or interpreted. */
import { readFileSync } from "node:fs";
import path from "node:path";
import {
  type ExecutionResult,
  getNullableType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  Kind,
  OperationTypeNode,
  typeFromAST,
  validate,
} from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ResourceRow, variantsOf } from "../../rest/adapter/row.js";
import { compile, interpreted, operationOf, type Run, type Variables } from "../../rest/adapter/execute.js";
import { restSchema, type Spelling } from "../../rest/adapter/schema.js";
import { table } from "../../rest/table.js";
import { Level } from "../../src/runtime/auth/levels.js";
import { ANONYMOUS, type Viewer } from "../../src/runtime/auth/viewer.js";
import { sharedSchema } from "../../src/http/server.js";
import { startBoard, type TestBoard } from "../support/board.js";
import { contextOf } from "../support/context.js";
import type { TestPost, TestUser } from "../support/factory.js";

const OPERATIONS_OF_THE_SPECIFICATION = 72;

/** Reads that leave a mark on what they show. */
const MARKING = new Set(["GET /dmails/:id"]);

const nameOf = ({ method, path: where }: ResourceRow): string => `${method} ${where}`;
const isWrite = ({ document }: ResourceRow): boolean => operationOf(document).operation === OperationTypeNode.MUTATION;
const schema = restSchema(sharedSchema());
const rows = table.flatMap((row) =>
  variantsOf(row).map((each): [string, ResourceRow] => [
    each === row ? nameOf(row) : `${nameOf(row)} (${each.plural})`,
    each,
  ]),
);

interface Line {
  done: boolean;
  operation: string;
}

const linesOf = (text: string): Line[] =>
  [...text.matchAll(/^\[([x ])\] (.+)$/gm)].map(([, mark, operation = ""]) => ({ done: mark === "x", operation }));

describe("test/route-coverage.txt", () => {
  const text = readFileSync(path.resolve(import.meta.dirname, "../route-coverage.txt"), "utf8");
  const [specified = "", beyond = ""] = text.split("# Beyond the specification\n");
  const lines = linesOf(text);

  it("contains only operations and headings", () => {
    const others = text.split("\n").filter((line) => !/^(\[[x ]\] (GET|POST|PUT|DELETE) \/[\w/:]+|#.*|)$/.test(line));
    expect(others).toEqual([]);
  });

  it("lists every operation of the specification, and none twice", () => {
    expect(linesOf(specified).length).toBe(OPERATIONS_OF_THE_SPECIFICATION);
    expect(new Set(lines.map(({ operation }) => operation)).size).toBe(lines.length);
  });

  it("marks exactly the rows of the table as built", () => {
    const built = lines.filter(({ done }) => done).map(({ operation }) => operation);
    expect(built.sort()).toEqual(table.map(nameOf).sort());
    expect(linesOf(beyond).filter(({ done }) => !done)).toEqual([]);
  });
});

describe("the table", () => {
  it("has one row for each method and path", () => {
    expect(new Set(table.map(nameOf)).size).toBe(table.length);
  });

  it("has GET rows with a query, and other rows with a mutation of one payload", () => {
    for (const row of table) {
      const operation = operationOf(row.document);
      const isMutation = row.method !== "GET" || MARKING.has(nameOf(row));
      expect([nameOf(row), isWrite(row)]).toEqual([nameOf(row), isMutation]);
      expect([nameOf(row), operation.selectionSet.selections.length]).toEqual([nameOf(row), 1]);
    }
  });

  it.each(rows)("%s: its root field declares who may call it", (_name, row) => {
    const { operation, selectionSet } = operationOf(row.document);
    const type = operation === OperationTypeNode.MUTATION ? schema.getMutationType() : schema.getQueryType();
    const [field] = selectionSet.selections;
    const name = field?.kind === Kind.FIELD ? field.name.value : "";
    const levels = Object.keys(Level).map((level) => level.toLowerCase());
    expect(["public", ...levels]).toContain(type?.getFields()[name]?.extensions.access);
  });

  it.each(rows)("%s: its document is valid", (_name, row) => {
    expect(validate(schema, row.document).map(({ message }) => message)).toEqual([]);
  });

  it.each(rows)("%s: its document is compiled by graphql-jit", (_name, row) => {
    expect(isCompiledQuery(compileQuery(schema, row.document))).toBe(true);
  });
});

describe("compiled and interpreted rows", () => {
  let test: TestBoard;
  let user: TestUser;
  let post: TestPost;
  beforeAll(async () => {
    test = await startBoard();
    user = await test.make.user("Moderator");
    post = await test.make.post("one_tag artist:someone");
    await test.make.post("one_tag two_tags", { source: "https://example.org/a b", parent_id: post.id });
    await user.client.put(`/posts/${post.id}.json`, { post: { tag_string: "artist:someone three", rating: "q" } });
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const viewerOf = ({ id, name, level }: TestUser): Viewer => ({ id, name, level, isBanned: false, proof: "basic" });

  /** The whole result as text, errors by what they say and where; the two put quotes around other words. */
  const textOf = ({ data, errors }: ExecutionResult): string =>
    JSON.stringify(
      { data, errors: errors?.map(({ message, path: where }) => ({ message: message.replaceAll('"', ""), where })) },
      null,
      1,
    );

  async function both(row: ResourceRow, viewer: Viewer, variables: () => Promise<Variables> | Variables) {
    const runs: Run[] = [compile(schema, row.document), interpreted(schema, row.document)];
    const texts = [];
    for (const run of runs) texts.push(textOf(await run(contextOf(test, viewer), await variables())));
    return texts as [string, string];
  }

  it.each(rows.filter(([, row]) => !isWrite(row)))("%s responds the same", async (_name, row) => {
    for (const viewer of [ANONYMOUS, viewerOf(user)]) {
      for (const variables of [
        // one post is found at the most, since a draw by chance would differ
        { id: post.id, tags: `id:${post.id}` },
        { id: 2_000_000_000, tags: "id:2000000000" },
        { limit: 1, page: "2", tags: "two_tags" },
        { search: { id: [1] }, tags: "two_tags limit:1" },
      ]) {
        const [compiled, plain] = await both(row, viewer, () => variables);
        expect(compiled).toBe(plain);
      }
    }
  });

  /** Variables of writes that succeed, on records that differ in nothing but their numbers and names. */
  const fresh: Record<string, () => Promise<Variables> | Variables> = {
    "PUT /posts/:id": async () => ({
      input: { id: (await test.make.post("x")).id, tagString: "y artist:z", rating: "e" },
    }),
    "PUT /posts/:id/revert": async () => {
      const { id } = await test.make.post("x");
      await user.client.put(`/posts/${id}.json`, { post: { tag_string: "changed" } });
      const [version] = await test.board.database.postVersion.findMany({
        where: { postId: id },
        orderBy: { id: "asc" },
      });
      return { input: { id, versionId: version?.id } };
    },
    "POST /posts/:post_id/votes": async () => ({ input: { postId: (await test.make.post("x")).id, score: "up" } }),
    "DELETE /posts/:post_id/votes": async () => {
      const { id } = await test.make.post("x");
      await user.client.post(`/posts/${id}/votes.json`, { score: "down" });
      return { input: { postId: id } };
    },
    "POST /users": async () => {
      const { name } = await test.make.user();
      return { input: { name: `${name}_again`, password: "a good one" } };
    },
    "POST /session": async () => {
      const { name, password } = await test.make.user();
      return { input: { name, password } };
    },
    "DELETE /session": () => ({}),
  };

  const OWN = /"(id|\w+_id|\w+_at|md5|name|\w+_name|\w*url|file_size)": ("[^"]*"|\d+)/g;
  const scrubbed = (text: string): string => text.replace(OWN, '"$1": "own"');

  it.each(rows.filter(([name]) => Object.hasOwn(fresh, name)))(
    "%s responds the same on equal records",
    async (name, row) => {
      const [compiled, plain] = (await both(row, viewerOf(user), fresh[name] ?? (() => ({})))).map(scrubbed);
      expect(compiled).toBe(plain);
      expect(compiled).not.toContain("errors");
    },
  );

  const unwelcomeValue = (type: GraphQLInputType): unknown => {
    if (isListType(type)) return [];
    if (isInputObjectType(type)) return unwelcomeFields(type);
    if (!isScalarType(type)) return {};
    const [word] = (type.extensions as Spelling).words ?? [];
    return word ?? ({ Int: 2_000_000_000, Float: 0, Boolean: false } as Record<string, unknown>)[type.name] ?? "";
  };

  const unwelcomeFields = (type: GraphQLInputObjectType): Variables =>
    Object.fromEntries(
      Object.values(type.getFields())
        .filter((field) => isNonNullType(field.type))
        .map((field) => [field.name, unwelcomeValue(getNullableType(field.type))]),
    );

  /** The required fields of the row's input: numbers that no record has, and blank texts. */
  function unwelcome({ document }: ResourceRow): Variables {
    const [definition] = operationOf(document).variableDefinitions ?? [];
    const type = definition && getNullableType(typeFromAST(schema, definition.type));
    return isInputObjectType(type) ? { input: unwelcomeFields(type) } : {};
  }

  it.each(rows.filter(([, row]) => isWrite(row)))("%s is refused the same", async (_name, row) => {
    for (const viewer of [ANONYMOUS, viewerOf(user)]) {
      const [compiled, plain] = await both(row, viewer, () => unwelcome(row));
      expect(compiled).toBe(plain);
    }
  });
});
