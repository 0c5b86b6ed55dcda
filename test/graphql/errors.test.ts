/** Errors at POST /graphql: with the reasons of the one table, without internals, and without affecting other fields. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import { createDatabase } from "../support/database.js";

const INTERNAL = {
  message: "internal server error",
  extensions: { code: "INTERNAL", status: 500, reason: "internal server error" },
};

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

/** What no answer may tell: code, files, statements, drivers. */
const INTERNALS = /\bat \w+.*:\d+|node_modules|\.ts\b|\.js\b|SELECT|prisma|postgres|relation|stacktrace|pool/i;

const expectNoInternals = (answer: Answer): void => expect(answer.text).not.toMatch(INTERNALS);

describe("an invalid query", () => {
  it.each([
    ["a syntax error", "{ viewer {", /^Syntax Error: /],
    ["an unknown field", "{ viewer { passwordHash } }", /^Cannot query field "passwordHash" on type "User"/],
    ["a missing argument", "{ post { id } }", /^Field "post" argument "id" of type "Int!" is required/],
    ["a literal of a wrong type", `{ post(id: "x") { id } }`, /^Int cannot represent non-integer value: "x"/],
    [
      "an unknown enum value",
      `{ tags(search: { order: SIZE }) { nodes { id } } }`,
      /does not exist in "TagOrder" enum/,
    ],
    ["an unknown type", "query($x: Nope) { viewer { id } }", /^Unknown type "Nope"/],
    ["no operation", "fragment A on User { id }", /./],
  ])("is refused with 400: %s", async (_name, document, message) => {
    const answer = await test.anonymous.graphql(document);
    const [error] = answer.json.errors as { message: string; extensions: object }[];
    expect([answer.status, answer.json.data]).toEqual([400, undefined]);
    expect(error?.message).toMatch(message);
    expect(error?.extensions).toEqual({ code: "INVALID_PARAMETERS", status: 424, reason: error?.message });
    expectNoInternals(answer);
  });

  it("is refused if variables don't fit", async () => {
    const document = `query($search: TagSearch) { tags(search: $search) { nodes { id } } }`;
    for (const search of [{ category: ["NOPE"] }, { id: "x" }, { unknown: 1 }, 7]) {
      const { status, json } = await test.anonymous.graphql(document, { search });
      expect([status, json.data, json.errors[0].extensions.code]).toEqual([400, undefined, "INVALID_PARAMETERS"]);
    }
  });

  it("is refused if operationName is unknown", async () => {
    const query = "query A { viewer { id } } query B { viewer { id } }";
    for (const operationName of ["C", undefined]) {
      const { status, json } = await test.anonymous.json("POST", "/graphql", { query, operationName });
      expect([status, json.errors[0].extensions.code]).toEqual([400, "INVALID_PARAMETERS"]);
    }
  });

  it("reports an unknown persisted query to Apollo's clients", async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } };
    const { json } = await test.anonymous.json("POST", "/graphql", { extensions });
    expect(json.errors[0].extensions.code).toBe("PERSISTED_QUERY_NOT_FOUND");
  });

  it.each([
    [{ version: 1, sha256Hash: "0".repeat(64) }, "provided sha does not match query"],
    [{ version: 2, sha256Hash: "0".repeat(64) }, "Unsupported persisted query version"],
    [{}, "Unsupported persisted query version"],
    ["text", "Unsupported persisted query version"],
  ])("is refused with the persisted query %j", async (persistedQuery, reason) => {
    const body = { query: "{ __typename }", extensions: { persistedQuery } };
    const { status, json } = await test.anonymous.json("POST", "/graphql", body);
    expect([status, json.errors]).toEqual([
      400,
      [{ message: reason, extensions: { code: "INVALID_PARAMETERS", status: 424, reason } }],
    ]);
  });
});

describe("an error", () => {
  it("has code, status and reason, and its place in the query", async () => {
    const { status, json } = await test.anonymous.graphql("{ mine: profile { id } }");
    const reason = "login required";
    expect([status, json.data, json.errors]).toEqual([
      200,
      null,
      [
        {
          message: reason,
          locations: [{ line: 1, column: 3 }],
          path: ["mine"],
          extensions: { code: "FORBIDDEN", status: 403, reason },
        },
      ],
    ]);
  });

  it("leaves the rest of the response", async () => {
    const { json } = await test.anonymous.graphql("{ upload(id: 1) { id } tags { totalCount } }");
    expect([json.data, json.errors.length, json.errors[0].path]).toEqual([
      { upload: null, tags: { totalCount: 0 } },
      1,
      ["upload"],
    ]);
  });

  it("of one mutation leaves the others, which run in order", async () => {
    const { client } = await test.make.user();
    const [first, refused, last] = [await test.make.post(), await test.make.post(), await test.make.post()];
    const { status, json } = await client.graphql(
      `mutation {
        a: createPostVote(input: { postId: ${first.id}, score: UP }) { vote { postId } }
        b: deletePostVote(input: { postId: ${refused.id} }) { vote { postId } }
        c: createPostVote(input: { postId: ${last.id}, score: UP }) { vote { postId } }
      }`,
    );
    expect([status, json.data]).toEqual([
      200,
      { a: { vote: { postId: first.id } }, b: null, c: { vote: { postId: last.id } } },
    ]);
    expect(json.errors).toMatchObject([{ path: ["b"], extensions: { code: "NOT_FOUND", status: 404 } }]);
    const votes = await test.board.database.postVote.findMany({ select: { postId: true }, orderBy: { id: "asc" } });
    expect(votes).toEqual([{ postId: first.id }, { postId: last.id }]);
  });

  it.each(["nul \\u0000 byte", "half \\ud800 a pair"])("accepts any text: %s", async (text) => {
    const answer = await test.anonymous.graphql(
      `{ posts(tags: "${text}") { nodes { id } } tag(name: "${text}") { id } user(name: "${text}") { id }
         tags(search: { nameMatches: "${text}", name: "${text}" }) { nodes { id } }
         users(search: { name: "${text}" }) { nodes { id } }
         postVersions(search: { updaterName: "${text}" }) { nodes { id } } }`,
    );
    expect([answer.status, answer.json.errors?.[0].extensions.code ?? null]).not.toContain("INTERNAL");
    expectNoInternals(answer);
  });
});

describe("an unexpected error", () => {
  it("is INTERNAL without details, and is logged", async () => {
    await using board = await startBoard();
    await board.board.pool.query("ALTER TABLE tags RENAME TO tags_elsewhere");
    const answer = await board.anonymous.graphql("{ tags { nodes { id } } viewer { id } }");
    expect([answer.status, answer.json.data]).toEqual([200, null]);
    expect(answer.json.errors).toMatchObject([{ ...INTERNAL, path: ["tags"] }]);
    expectNoInternals(answer);
    expect(board.log.map((line) => line.msg)).toContain("unexpected error in a resolver");
  });

  it("in a nested field leaves null there and keeps everything else", async () => {
    await using board = await startBoard();
    const { id } = await board.make.user("Member", "somebody");
    await board.board.pool.query("ALTER TABLE artist_versions RENAME TO artist_versions_elsewhere");
    const answer = await board.anonymous.graphql(
      `query($id: Int!) { user(id: $id) { name activity { commentCount } level } tags { totalCount } }`,
      { id },
    );
    expect([answer.status, answer.json.data]).toEqual([
      200,
      { user: { name: "somebody", activity: null, level: 20 }, tags: { totalCount: 0 } },
    ]);
    expect(answer.json.errors).toMatchObject([{ ...INTERNAL, path: ["user", "activity"] }]);
    expectNoInternals(answer);
  });
});

describe("a document that is sent several times", () => {
  const answers = async (document: string, variables = {}) => {
    const all: Answer[] = [];
    for (let time = 0; time < 4; time += 1) all.push(await test.anonymous.graphql(document, variables));
    return all;
  };

  it.each([
    ["nothing left", "{ mine: profile { id } }"],
    ["the rest left", "query A { ...B } fragment B on Query { upload(id: 1) { id } tags { totalCount } }"],
    ["a wrong parameter", `{ posts(search: {}, page: "x") { nodes { id } } }`],
    ["a page that is too deep", `{ deep: tags(page: "2000000") { nodes { id } } board { name } }`],
    ["several refusals", "{ upload(id: 1) { id } dmail(id: 1) { id } notes { nodes { id } } }"],
  ])("has the same errors each time: %s", async (_name, document) => {
    const [first, ...others] = await answers(document);
    expect(first?.json.errors.length).toBeGreaterThan(0);
    for (const { status, text } of others) expect([status, text]).toEqual([first?.status, first?.text]);
  });

  it("has the same unexpected errors each time", async () => {
    await using board = await startBoard();
    const { id } = await board.make.user();
    await board.board.pool.query("ALTER TABLE artist_versions RENAME TO artist_versions_elsewhere");
    const ask = () => board.anonymous.graphql(`{ user(id: ${id}) { activity { commentCount } level } }`);
    const [first, second, third] = [await ask(), await ask(), await ask()];
    expect(first.json.errors).toMatchObject([{ ...INTERNAL, path: ["user", "activity"] }]);
    expect([second.text, third.text]).toEqual([first.text, first.text]);
  });

  it("refuses its variables each time", async () => {
    for (const { status, json } of await answers("query($id: Int!) { note(id: $id) { id } }", { id: "x" })) {
      expect([status, json.errors[0].extensions.code]).toEqual([400, "INVALID_PARAMETERS"]);
    }
  });

  it("writes once each time, also if part of it fails", async () => {
    const { client, id: creatorId } = await test.make.user();
    const { id: postId } = await test.make.post();
    const document = `mutation {
      a: createComment(input: { postId: ${postId}, body: "once" }) { comment { id } }
      b: deleteNote(input: { id: 2000000000 }) { note { id } }
    }`;
    for (let time = 1; time <= 4; time += 1) {
      const { json } = await client.graphql(document);
      expect(json.errors).toMatchObject([{ path: ["b"], extensions: { code: "NOT_FOUND" } }]);
      expect(await test.board.database.comment.count({ where: { creatorId } })).toBe(time);
    }
  });
});

/** A way to the database that can be cut. */
async function cuttable(target: string): Promise<{ url: string; cut: () => void }> {
  const to = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((inward) => {
    const outward = connect(Number(to.port), to.hostname);
    for (const socket of [inward, outward]) sockets.add(socket.on("error", () => socket.destroy()));
    inward.pipe(outward).pipe(inward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: url.href, cut };
}

describe("while the database is unreachable", () => {
  it("is UNAVAILABLE with retryAfter", async () => {
    const database = await createDatabase();
    const way = await cuttable(database.url);
    {
      await using board = await startBoard({ DATABASE_URL: way.url });
      const { client } = await board.make.user();
      expect((await client.graphql("{ viewer { level } }")).json.data).toEqual({ viewer: { level: 20 } });
      way.cut();
      const reason = "the server cannot handle the request now; try again later";
      const extensions = { code: "UNAVAILABLE", status: 503, reason, retryAfter: 5 };
      const anonymous = await board.anonymous.graphql("{ viewer { id } tags { nodes { id } } }");
      expect([anonymous.json.data, anonymous.json.errors]).toMatchObject([null, [{ message: reason, extensions }]]);
      const signedIn = await client.graphql("{ viewer { id } }");
      expect([signedIn.status, signedIn.headers.get("retry-after"), signedIn.json.errors]).toMatchObject([
        503,
        "5",
        [{ message: reason, extensions }],
      ]);
      expectNoInternals(anonymous);
      expectNoInternals(signedIn);
    }
    await database.drop();
  });
});
