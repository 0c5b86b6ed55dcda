/** The requester and their limits are checked before a body is processed: bodies here begin, and never end. */
import { afterEach, beforeAll, afterAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import type { RawClient } from "../support/raw-client.js";
import { cookieOf, signIn } from "../support/session.js";
import { type Begun, beginUpload } from "../support/slow-upload.js";
import { filesOf } from "../support/traces.js";

const LOGIN_FIRST = "login required; in a multipart body the credentials come before the file";

let test: TestBoard;
let user: TestUser;
let files: string[];
beforeAll(async () => {
  test = await startBoard();
  user = await test.make.user("Contributor");
  files = await filesOf(test);
});
afterAll(() => test[Symbol.asyncDispose]());

const opened: RawClient[] = [];
afterEach(() => {
  for (const client of opened.splice(0)) client[Symbol.dispose]();
});

async function begin(begun: Begun, url = test.url): Promise<RawClient> {
  const client = await beginUpload(url, begun);
  opened.push(client);
  return client;
}

const answered = (client: RawClient) => expect.poll(() => client.status || null).not.toBeNull();

/** Expects that what has begun is refused while the rest of it is still to come, and that no file was made. */
async function expectRefused(begun: Begun, status: number, reason: string, url = test.url): Promise<void> {
  const client = await begin(begun, url);
  await answered(client);
  expect([client.status, client.received]).toEqual([status, expect.stringContaining(reason)]);
  expect([await filesOf(test), test.board.ingest.bytesInFlight]).toEqual([files, 0]);
}

/** Expects that the file of what has begun is being received. */
async function expectReceived(begun: Begun): Promise<void> {
  const client = await begin(begun);
  await expect.poll(() => test.board.ingest.bytesInFlight).toBe(1000);
  expect([client.status, (await filesOf(test)).length]).toEqual([0, files.length + 1]);
  client[Symbol.dispose]();
  await expect.poll(() => test.board.ingest.bytesInFlight).toBe(0);
  await expect.poll(() => filesOf(test)).toEqual(files);
}

describe("a body with a file", () => {
  it.each([
    ["POST", "/nowhere.json"],
    ["POST", "/uploads/1/2.json"],
    ["POST", "/uploads.html"],
    ["PUT", "/uploads.json"],
    ["PATCH", "/uploads.json"],
    ["DELETE", "/uploads.json"],
    ["PUT", "/nowhere"],
  ])("is 404 at once for %s %s, which does not exist", async (method, path) => {
    await expectRefused({ method, path, login: user }, 404, "not found");
    await expectRefused({ method, path }, 404, "not found");
  });

  it("is 403 at once for a wrong key, in the header and in the query", async () => {
    const login = { name: user.name, apiKey: "wrong" };
    await expectRefused({ path: "/uploads.json", login }, 403, "authentication failed");
    await expectRefused({ path: `/uploads.json?login=${user.name}&api_key=wrong` }, 403, "authentication failed");
  });

  it("is 403 at once for a page of another site, which has the cookies alone", async () => {
    const { cookie } = await signIn(test.anonymous, user);
    const headers = { Cookie: cookie, Origin: "https://evil.example" };
    await expectRefused({ path: "/uploads.json", headers }, 403, "cookie writes need the Origin of this site");
    await expectRefused({ path: "/uploads.json?_method=get", headers }, 403, "cookie writes need the Origin");
  });

  it("is 403 at once for visitors, in REST and GraphQL", async () => {
    await expectRefused({ path: "/uploads.json" }, 403, LOGIN_FIRST);
    await expectRefused({ path: "/nowhere.json?_method=post" }, 404, "not found");
    const fields = [{ name: "upload[rating]", content: "s" }];
    await expectRefused({ path: "/uploads.json", fields }, 403, LOGIN_FIRST);
  });

  it("is received for a Member, authenticated by header, query or fields before the file", async () => {
    await expectReceived({ path: "/uploads.json", login: user });
    await expectReceived({ path: `/uploads.json?login=${user.name}&api_key=${encodeURIComponent(user.apiKey)}` });
    const fields = [
      { name: "login", content: user.name },
      { name: "api_key", content: user.apiKey },
    ];
    await expectReceived({ path: "/uploads.json", fields });
  });

  it("is 403 when the fields before the file have a wrong key, and counts as a request", async () => {
    const fields = [
      { name: "login", content: user.name },
      { name: "api_key", content: "wrong" },
    ];
    await expectRefused({ path: "/uploads.json", fields }, 403, "authentication failed");
  });

  it("is discarded if the row accepts no file, also with `_method`", async () => {
    const begun = [
      { path: "/comments.json", login: user, name: "comment[body]" },
      { path: "/uploads.json?_method=get", login: user },
      { path: "/uploads.json", login: user, fields: [{ name: "_method", content: "get" }] },
      { path: "/uploads.json", login: user, headers: { "X-HTTP-Method-Override": "GET" } },
    ];
    for (const each of begun) {
      const client = await begin({ ...each, bytes: 500_000 });
      await test.anonymous.get("/posts.json");
      expect([client.status, test.board.ingest.bytesInFlight, await filesOf(test)]).toEqual([0, 0, files]);
    }
  });

  it("is 424 if the row accepts no file and the body is larger than MAX_BODY_BYTES", async () => {
    const reason = "the request body is larger than 1048576 bytes";
    await expectRefused({ path: "/comments.json", login: user, bytes: 1_100_000 }, 424, reason);
    await expectRefused({ path: "/uploads.json?_method=get", login: user, bytes: 1_100_000 }, 424, reason);
  });
});

describe("over the hourly limit", () => {
  const address = { LIMIT_ANONYMOUS: "3" };

  it("a body is 421 at once, whatever it contains", async () => {
    await using limited = await startBoard(address);
    const member = await limited.make.user();
    for (let count = 0; count < 3; count += 1) await limited.anonymous.get("/posts.json");
    const reason = "hourly limit of 3 requests exceeded";
    const credentials = { login: member.name, api_key: member.apiKey };
    expect((await limited.anonymous.json("POST", "/comments.json", credentials)).status).toBe(421);
    expect((await limited.anonymous.post("/comments.json", credentials)).status).toBe(421);
    await expectRefused({ path: "/uploads.json" }, 421, reason, limited.url);
    await expectRefused({ path: "/nowhere.json" }, 421, reason, limited.url);
    expect((await member.client.get("/posts.json")).status).toBe(200);
  });

  it("an address can still sign in, by the page, REST or GraphQL, within a limit of its own", async () => {
    await using limited = await startBoard(address);
    const { name, password } = await limited.make.user();
    const { anonymous } = limited;
    for (let count = 0; count < 3; count += 1) await anonymous.get("/posts.json");
    const page = () => anonymous.with({ accept: "text/html" }).get("/login");
    const query = "mutation($input: CreateSessionInput!) { createSession(input: $input) { user { name } } }";
    const byGraphQL = (path: string) =>
      anonymous.json("POST", path, { query, variables: { input: { name, password } } });
    expect((await page()).status).toBe(200);
    expect((await byGraphQL("/graphql/session")).json.data.createSession.user.name).toBe(name);
    const signedIn = await anonymous.post("/session.json", { name, password });
    expect((await anonymous.with({ cookie: cookieOf(signedIn) }).get("/posts.json")).status).toBe(200);
    expect((await byGraphQL("/graphql")).status).toBe(421);
    expect((await anonymous.get("/posts.json")).status).toBe(421);
    // four so far: REST's form counts when it begins, and again with its sender
    for (let count = 4; count < 60; count += 1) expect((await page()).status).toBe(200);
    expect((await page()).status).toBe(429);
    expect((await anonymous.post("/session.json", { name, password })).status).toBe(421);
    expect((await byGraphQL("/graphql/session")).status).toBe(421);
  });

  it("a member can't use the requests for signing in", async () => {
    await using limited = await startBoard({ LIMIT_MEMBER: "1" });
    const { client } = await limited.make.user("Member");
    await client.get("/posts.json");
    const body = { query: "{ viewer { id } }" };
    expect((await client.json("POST", "/graphql/session", body)).status).toBe(421);
  });

  it("a body with credentials counts for the account, not for the address", async () => {
    await using limited = await startBoard(address);
    const member = await limited.make.user();
    const credentials = { login: member.name, api_key: member.apiKey, _method: "get" };
    for (let count = 0; count < 5; count += 1)
      expect((await limited.anonymous.post("/profile.json", credentials)).json.name).toBe(member.name);
    expect((await limited.anonymous.get("/posts.json")).headers.get("x-ratelimit-remaining")).toBe("2");
  });

  it("invalid and interrupted bodies count", async () => {
    await using limited = await startBoard(address);
    await limited.anonymous.send("/posts/1.json", {
      method: "PUT",
      body: "{",
      headers: { "content-type": "application/json" },
    });
    const broken = await beginUpload(limited.url, { path: "/comments.json" });
    await limited.anonymous.get("/posts.json");
    broken[Symbol.dispose]();
    const remaining = async () => (await limited.board.limiter.allowance(VISITOR, "127.0.0.1")).remaining;
    await expect.poll(remaining).toBe(0);
  });
});

const VISITOR = { id: null, name: "Anonymous", level: 0, isBanned: false, proof: "none" } as const;

const preflight = { "Apollo-Require-Preflight": "1" };
const operations = (query: string, variables: object) => [
  { name: "operations", content: JSON.stringify({ query, variables }) },
  { name: "map", content: '{"0": ["variables.file"]}' },
];
const UPLOAD = `mutation($file: File) { createUpload(input: { file: $file, rating: SAFE, tagString: "x" }) { upload { id } } }`;
const fields = operations(UPLOAD, { file: null });
const graphql = { path: "/graphql", name: "0", headers: preflight, fields };

describe("a body of GraphQL", () => {
  it("is 403 at once without the header that pages of other sites can't send", async () => {
    const reason = "a request with this Content-Type, or without one, needs an Apollo-Require-Preflight header";
    for (const type of ["", "text/plain", "application/x-www-form-urlencoded", "Multipart/Form-Data ; boundary=x"]) {
      const init = { method: "POST", body: new Uint8Array(10), headers: { "content-type": type } };
      const { status, json } = await user.client.send("/graphql", init);
      expect([type, status, json.errors[0].message]).toEqual([type, 403, reason]);
    }
    await expectRefused({ ...graphql, login: user, headers: {} }, 403, reason);
  });

  it("is received for a Member, and 403 at once for visitors and for a wrong key", async () => {
    await expectReceived({ ...graphql, login: user });
    await expectRefused(graphql, 403, "login required");
    await expectRefused({ ...graphql, login: { name: user.name, apiKey: "x" } }, 403, "authentication failed");
  });

  it.each([
    ["declares no file", "mutation($file: String) { createUpload(input: { source: $file }) { upload { id } } }"],
    ["gives it to no field", "query($file: File) { posts { nodes { id } } }"],
    ["can't be read", "mutation($file: File) {"],
    ["is another one", `query A { viewer { id } } ${UPLOAD.replace("mutation", "mutation B")}`],
  ])("keeps no file when the operation %s", async (_, query) => {
    const client = await begin({ ...graphql, login: user, fields: operations(query, { file: null }), bytes: 500_000 });
    await test.anonymous.get("/posts.json");
    expect([client.status, test.board.ingest.bytesInFlight, await filesOf(test)]).toEqual([0, 0, files]);
  });

  it("keeps no file that the map does not name, and is 424 when it comes before the map", async () => {
    const client = await begin({ ...graphql, login: user, name: "1", bytes: 500_000 });
    await test.anonymous.get("/posts.json");
    expect([client.status, test.board.ingest.bytesInFlight, await filesOf(test)]).toEqual([0, 0, files]);
    await expectRefused({ ...graphql, login: user, fields: fields.slice(0, 1) }, 424, "the request body is malformed");
  });
});

it("with REQUIRE_LOGIN, a visitor's file is refused before it is received, in REST and GraphQL", async () => {
  await using closed = await startBoard({ REQUIRE_LOGIN: "true" });
  await expectRefused({ path: "/uploads.json" }, 403, LOGIN_FIRST, closed.url);
  await expectRefused({ path: "/nowhere.json" }, 403, "login required", closed.url);
  await expectRefused(graphql, 403, "login required", closed.url);
});
