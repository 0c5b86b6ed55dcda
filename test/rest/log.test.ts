/** What the board logs about a request, and what it never logs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, statementsOf, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { signIn } from "../support/session.js";

let test: TestBoard;
let user: TestUser;
let show: string;
beforeAll(async () => {
  test = await startBoard();
  user = await test.make.user("Member", "Alma");
  show = `/posts/${(await test.make.post("one_tag")).id}.json`;
});
afterAll(() => test[Symbol.asyncDispose]());

describe("the log", () => {
  const lineOf = async ({ headers }: Answer) => {
    const id = headers.get("x-request-id");
    const lines = () => test.log.filter((line) => (line.req as { id?: string } | undefined)?.id === id);
    await expect.poll(() => lines().length).toBeGreaterThan(0);
    return lines();
  };

  it("has one line for each request, with its status and its statements", async () => {
    const answer = await test.anonymous.get(`${show}?only=id`);
    const lines = await lineOf(answer);
    expect(lines).toMatchObject([
      {
        req: { method: "GET", url: `${show}?only=id`, address: "127.0.0.1" },
        res: { status: 200 },
        responseTime: expect.any(Number) as number,
        route: "/posts/:id",
        statements: await statementsOf(test, answer.headers.get("x-request-id")),
      },
    ]);
    expect(Number(lines[0]?.statements)).toBeGreaterThan(0);
    expect(await lineOf(await test.anonymous.get("/nowhere.xml"))).toMatchObject([
      { res: { status: 404 }, route: "unmatched", statements: 0 },
    ]);
  });

  it("has the route even if the request was refused early, or has an unsupported method", async () => {
    const refused = await test.anonymous.get(`${show}?login=nobody&api_key=none`);
    expect(await lineOf(refused)).toMatchObject([{ res: { status: 403 }, route: "/posts/:id" }]);
    const overridden = await test.anonymous.post("/comments/1.json", { _method: "delete" });
    expect(await lineOf(overridden)).toMatchObject([{ res: { status: 403 }, route: "/comments/:id" }]);
  });

  it("has the kind and at most ten root fields of GraphQL operations, never names chosen by clients", async () => {
    const operationOf = async (document: string) =>
      (await lineOf(await test.anonymous.graphql(document)))[0]?.operation;
    expect(await operationOf("query Marked { mine: posts { nodes { id } } tags { nodes { id } } }")).toBe(
      "query posts,tags",
    );
    expect(await operationOf("query { ...F } fragment F on Query { users { nodes { id } } }")).toBe("query users");
    expect(await operationOf("mutation { deleteComment(input: { id: 1 }) { comment { id } } }")).toBe(
      "mutation deleteComment",
    );
    expect(await operationOf("{ nothingLikeThis }")).toBeUndefined();
    const many = [
      "artists",
      "bans",
      "comments",
      "forumPosts",
      "forumTopics",
      "notes",
      "pools",
      "posts",
      "tags",
      "uploads",
      "users",
    ];
    const document = `{ ${many.map((field) => `${field} { nodes { id } }`).join(" ")} }`;
    expect(await operationOf(document)).toBe(`query ${many.slice(0, 10).join(",")}`);
  });

  it("has the client's address, not the proxy's, for every kind of response", async () => {
    await using proxied = await startBoard({ TRUST_PROXY: "loopback" });
    const from = proxied.anonymous.with({ "x-forwarded-for": "203.0.113.7" });
    const answers = [
      await from.get("/posts.json"),
      await from.get("/posts/1.json"),
      await from.get("/posts.json", { limit: "none" }),
      await from.get("/tags.json"),
      await from.get("/nothing"),
      await from.graphql("{ viewer { id } }"),
      await from.with({ "x-forwarded-for": "::ffff:203.0.113.7" }).get("/posts.xml"),
    ];
    const ids = answers.map(({ headers }) => headers.get("x-request-id"));
    const logged = () => {
      const requests = proxied.log.map(({ req }) => req as { id: string; address: string } | undefined);
      return ids.map((id) => requests.find((request) => request?.id === id)?.address);
    };
    await expect.poll(logged).toEqual(answers.map(() => "203.0.113.7"));
  });

  it("never contains a key, password or cookie", async () => {
    const { client, cookie, csrfToken } = await signIn(test.anonymous, user);
    const key = { login: user.name, api_key: user.apiKey };
    const marked = { password: "MARKED-PASSWORD", api_key: "MARKED-KEY", password_hash: "MARKED-HASH" };
    const answers = [
      await test.anonymous.get("/profile.json", key),
      await test.anonymous.put(show, key),
      await test.anonymous.get("/posts.json", { login: "alma", ...marked }),
      await test.anonymous.get("/posts.json?Api_Key=MARKED-KEY&api%5Fkey=MARKED-KEY&%E0password=MARKED-KEY"),
      await test.anonymous.get("/users.json", { user: { ...marked, password_confirmation: "MARKED-AGAIN" } }),
      await test.anonymous.get("/graphql", { query: 'mutation { createSession(input: {password: "MARKED"}) }' }),
      await test.anonymous.json("POST", "/session.json", { name: "alma", password: "MARKED-PASSWORD" }),
      await test.anonymous.json("POST", "/users.json", { user: { name: "x", password: "MARKED-PASSWORD" } }),
      await client.with({ "x-csrf-token": csrfToken }).delete("/session.json"),
      await user.client.graphql("{ profile { settings { apiKey } } }", { password: "MARKED-PASSWORD" }),
      await user.client.send("/graphql?api_key=MARKED-KEY", { method: "POST", body: "{" }),
    ];
    for (const answer of answers) await lineOf(answer);
    const text = JSON.stringify(test.log);
    const secrets = [
      user.apiKey,
      encodeURIComponent(user.apiKey),
      user.password,
      csrfToken,
      cookie,
      "MARKED",
      "Basic ",
    ];
    for (const secret of secrets) expect(text).not.toContain(secret);
  });
});

it("a lost connection to the database is logged without what was sent on it", async () => {
  await test.board.database.query(
    sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  const lines = () => test.log.filter(({ msg }) => msg === "database connection lost");
  await expect.poll(() => lines().length).toBeGreaterThan(0);
  for (const { err } of lines()) expect(err).not.toHaveProperty("client");
});
