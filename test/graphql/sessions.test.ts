/** Signing in and out through POST /graphql, the rights of a session's cookie, and the list of sessions. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { cookieOf, setCookies, signIn, signInByGraphQL } from "../support/session.js";

let test: TestBoard;
let user: TestUser;
beforeAll(async () => {
  test = await startBoard({ LOGIN_ATTEMPTS_PER_HOUR: "3" });
  user = await test.make.user();
});
afterAll(() => test[Symbol.asyncDispose]());

const enter = (who: { name: string; password: string }, client = test.anonymous) => signInByGraphQL(client, who);
const viewerOf = (answer: Answer) => answer.json.data?.viewer as unknown;
const VIEWER = "{ viewer { id } }";
const whoIs = async (client: Client) => viewerOf(await client.graphql(VIEWER));
const REASON = "cookie writes need the Origin of this site or an X-CSRF-Token header";
const refusal = (reason: string) => ({ code: "FORBIDDEN", status: 403, reason });

describe("createSession", () => {
  it("signs in, in any case of the name, and sets one cookie with a token, which is not the API key", async () => {
    const { answer, cookie, page } = await enter({ ...user, name: user.name.toUpperCase() });
    expect([...setCookies(answer)]).toEqual([
      ["session", expect.stringMatching(/^session=[\w-]{43}; Max-Age=34560000; Path=\/; .*HttpOnly; SameSite=Lax$/)],
    ]);
    expect(cookie).not.toContain(user.apiKey);
    expect(await whoIs(page)).toEqual({ id: user.id });
  });

  it("returns the settings and CSRF token of the new user, uncached", async () => {
    const { answer } = await enter(user);
    const { user: signedIn, csrfToken } = answer.json.data.createSession;
    expect(csrfToken).toMatch(/^[\w-]{43}$/);
    expect(signedIn).toEqual({ id: user.id, name: user.name, settings: { apiKey: user.apiKey }, csrfToken });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("returns those of the new user when signed in as another, whose session ends", async () => {
    const first = await enter(await test.make.user());
    const second = await enter(user, first.page);
    expect(second.answer.json.data.createSession.user.settings).toEqual({ apiKey: user.apiKey });
    expect([await whoIs(first.page), await whoIs(second.page)]).toEqual([null, { id: user.id }]);
  });

  it("runs later fields of the request as the new user", async () => {
    const { id: postId } = await test.make.post();
    const document = `mutation($input: CreateSessionInput!, $postId: Int!) {
      createSession(input: $input) { user { id } }
      createFavorite(input: { postId: $postId }) { post { favCount } } }`;
    const { json } = await test.anonymous.graphql(document, {
      input: { name: user.name, password: user.password },
      postId,
    });
    expect(json.data).toEqual({ createSession: { user: { id: user.id } }, createFavorite: { post: { favCount: 1 } } });
  });

  it("clears the REST interface's cookies if the browser has them", async () => {
    const before = await signIn(test.anonymous, await test.make.user());
    const { answer } = await enter(user, before.client.with({ origin: test.url }));
    expect([...setCookies(answer).keys()]).toEqual(["session", "user_name", "password_hash"]);
    expect(setCookies(answer).get("password_hash")).toMatch(/^password_hash=;.*Expires=Thu, 01 Jan 1970/);
  });

  it("refuses a wrong password and an unknown name alike, and sets no cookie", async () => {
    for (const who of [
      { name: "nobody_at_all", password: "secret" },
      { name: user.name, password: "wrong" },
    ]) {
      const { answer } = await enter(who);
      expect([answer.json.data, answer.json.errors[0].extensions]).toEqual([
        { createSession: null },
        refusal("authentication failed"),
      ]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it("is refused to a page of another site before the password is looked at", async () => {
    const foreign = test.anonymous.with({ origin: "https://evil.example" });
    for (const password of [user.password, "wrong"]) {
      const { answer } = await enter({ ...user, password }, foreign);
      expect([answer.json.errors[0].extensions, answer.headers.getSetCookie()]).toEqual([refusal(REASON), []]);
    }
  });

  it("is throttled after LOGIN_ATTEMPTS_PER_HOUR failures, for the right password too", async () => {
    await using board = await startBoard({ LOGIN_ATTEMPTS_PER_HOUR: "3" });
    const victim = await board.make.user();
    const attempt = async (password: string) => (await enter({ ...victim, password }, board.anonymous)).answer.json;
    for (let count = 0; count < 3; count += 1) await attempt("wrong");
    const { errors } = await attempt(victim.password);
    expect(errors[0].extensions).toMatchObject({ code: "THROTTLED", status: 421 });
    expect(errors[0].extensions.retryAfter).toBeGreaterThan(3500);
    expect(await whoIs(victim.client)).toEqual({ id: victim.id });
  });
});

describe("createUser", () => {
  const SIGN_UP = `mutation($name: String!) { createUser(input: { name: $name, password: "a long password" }) {
    user { name settings { perPage } } csrfToken } }`;

  it("signs up and in: one cookie, the settings and a CSRF token that is valid for writes", async () => {
    const answer = await test.anonymous.graphql(SIGN_UP, { name: "newcomer" });
    const { csrfToken, user: made } = answer.json.data.createUser;
    expect(made).toEqual({ name: "newcomer", settings: { perPage: 20 } });
    expect([...setCookies(answer).keys()]).toEqual(["session"]);
    const page = test.anonymous.with({ cookie: cookieOf(answer), "x-csrf-token": csrfToken });
    const { json } = await page.graphql("mutation { deleteSession { ended } }");
    expect(json.data).toEqual({ deleteSession: { ended: true } });
  });

  it("creates no account for a page of another site", async () => {
    const foreign = test.anonymous.with({ "sec-fetch-site": "cross-site" });
    const { json } = await foreign.graphql(SIGN_UP, { name: "unwanted" });
    expect(json.errors[0].extensions).toEqual(refusal(REASON));
    expect(await test.board.database.user.count({ where: { name: "unwanted" } })).toBe(0);
  });
});

describe("a session", () => {
  let session: Awaited<ReturnType<typeof enter>>;
  let bare: Client;
  beforeAll(async () => {
    session = await enter(user);
    bare = test.anonymous.with({ cookie: session.cookie });
  });
  const vote = (client: Client, postId: number) =>
    client.graphql(`mutation { createPostVote(input: { postId: ${postId}, score: UP }) { vote { id } } }`);

  it("lets our page sign in, write with the token, and query the token again after a reload", async () => {
    const { csrfToken } = session.answer.json.data.createSession;
    const [first, second] = [await test.make.post(), await test.make.post()];
    expect((await vote(bare.with({ "x-csrf-token": csrfToken }), first.id)).json.errors).toBeUndefined();
    const reload = await bare.graphql("{ viewer { id csrfToken } }");
    expect(viewerOf(reload)).toEqual({ id: user.id, csrfToken });
    expect(reload.headers.get("cache-control")).toBe("no-store");
    const { json } = await vote(bare.with({ "x-csrf-token": csrfToken, "sec-fetch-site": "cross-site" }), second.id);
    expect(json.errors).toBeUndefined();
  });

  it("does not return its token to API key users, nor with another user's record", async () => {
    for (const client of [user.client, user.client.with({ cookie: session.cookie })])
      expect(viewerOf(await client.graphql("{ viewer { csrfToken } }"))).toEqual({ csrfToken: null });
    const other = await test.make.user();
    const { json } = await bare.graphql(`{ user(id: ${other.id}) { csrfToken } }`);
    expect(json.data).toEqual({ user: { csrfToken: null } });
  });

  it("allows queries by POST with only the cookie", async () => {
    expect(await whoIs(bare)).toEqual({ id: user.id });
    const page = bare.with({ origin: "https://evil.example", "sec-fetch-site": "cross-site" });
    const { headers } = await page.graphql(VIEWER);
    // the page that asked may not read it: browsers want the latter where cookies were sent
    expect([headers.get("access-control-allow-origin"), headers.get("access-control-allow-credentials")]).toEqual([
      "*",
      null,
    ]);
  });

  it.each([
    ["another site's page", { origin: "https://evil.example" }],
    ["another site's page, as browsers say", { "sec-fetch-site": "cross-site" }],
    ["a page of a sister site", { "sec-fetch-site": "same-site" }],
    ["somebody who does not say", {}],
    ["a page without an origin", { origin: "null" }],
    ["somebody with a wrong token", { "x-csrf-token": "x", "sec-fetch-site": "cross-site" }],
  ])("can't write for %s", async (_name, headers) => {
    const { id: postId } = await test.make.post();
    const { status, json } = await vote(bare.with(headers), postId);
    expect([status, json.data, json.errors]).toEqual([
      403,
      undefined,
      [{ message: REASON, extensions: refusal(REASON) }],
    ]);
    expect(await test.board.database.postVote.count({ where: { postId } })).toBe(0);
  });

  it("does not write with the token of another session of the same user", async () => {
    const { csrfToken } = (await enter(user)).answer.json.data.createSession;
    const { id } = await test.make.post();
    expect((await vote(bare.with({ "x-csrf-token": csrfToken }), id)).status).toBe(403);
  });

  it("does not run a mutation named like a query: the operation type counts", async () => {
    const { id } = await test.make.post();
    const query = `query Read { viewer { id } } mutation Write { createPostVote(input: { postId: ${id}, score: UP }) { vote { id } } }`;
    const read = await bare.json("POST", "/graphql", { query, operationName: "Read" });
    const write = await bare.json("POST", "/graphql", { query, operationName: "Write" });
    expect([read.status, write.status]).toEqual([200, 403]);
  });

  it("of the REST interface's own cookies works in the same way", async () => {
    const { cookie: all, csrfToken: ofSession } = await signIn(test.anonymous, user);
    const cookie = all.split("; ").slice(1).join("; ");
    const client = test.anonymous.with({ cookie });
    const { csrfToken } = viewerOf(await client.graphql("{ viewer { csrfToken } }")) as { csrfToken: string };
    const withEmpty = test.anonymous.with({ cookie: `session=; ${cookie}` });
    expect(viewerOf(await withEmpty.graphql("{ viewer { csrfToken } }"))).toEqual({ csrfToken });
    const { id } = await test.make.post();
    expect((await vote(client.with({ "x-csrf-token": ofSession }), id)).status).toBe(403);
    expect((await vote(client, id)).status).toBe(403);
    expect((await vote(client.with({ "x-csrf-token": csrfToken }), id)).json.errors).toBeUndefined();
    const outdated = cookie.replace(/password_hash=.*/, "password_hash=outdated");
    expect(await whoIs(test.anonymous.with({ cookie: outdated }))).toBeNull();
    for (const name of [user.name, `s:${user.name}`, `s:${user.name}.${"A".repeat(43)}`]) {
      const forged = `user_name=${encodeURIComponent(name)}; password_hash=${encodeURIComponent(user.apiKey)}`;
      expect(await whoIs(test.anonymous.with({ cookie: forged }))).toBeNull();
    }
  });
});

describe("sessions", () => {
  const LIST = "{ sessions { nodes { id userAgent address isCurrent createdAt lastUsedAt } totalCount } }";
  const listOf = async (client: Client) => (await client.graphql(LIST)).json.data.sessions.nodes as { id: number }[];
  let owner: TestUser;
  let laptop: Client;
  let phone: Client;
  beforeAll(async () => {
    owner = await test.make.user();
    ({ page: laptop } = await enter(owner, test.anonymous.with({ "user-agent": "Laptop" })));
    ({ page: phone } = await enter(owner, test.anonymous.with({ "user-agent": "Phone" })));
    await enter(user);
  });

  it("lists one's own, newest first, with address and browser, and marks the current one", async () => {
    const { json } = await laptop.graphql(LIST);
    const shape = { id: expect.any(Number), createdAt: expect.any(String), lastUsedAt: expect.any(String) };
    expect(json.data.sessions).toEqual({
      nodes: [
        { ...shape, userAgent: "Phone", address: "127.0.0.1", isCurrent: false },
        { ...shape, userAgent: "Laptop", address: "127.0.0.1", isCurrent: true },
      ],
      totalCount: 2,
    });
    const byKey = (await owner.client.graphql("{ sessions(first: 1) { nodes { userAgent isCurrent } } }")).json.data;
    expect(byKey).toEqual({ sessions: { nodes: [{ userAgent: "Phone", isCurrent: false }] } });
  });

  it("403 for visitors", async () => {
    const { json } = await test.anonymous.graphql(LIST);
    expect(json.errors[0].extensions).toEqual(refusal("login required"));
  });

  it("works for a banned user too", async () => {
    const banned = await test.make.user();
    const { page } = await enter(banned);
    await test.board.database.user.update({ where: { id: banned.id }, data: { isBanned: true } });
    expect(await listOf(page)).toHaveLength(1);
    expect((await page.graphql("mutation { deleteAllSessions { endedCount } }")).json.errors).toBeUndefined();
    expect(await whoIs(page)).toBeNull();
  });

  it("deleteSession ends one of them and not the other; the ended cookie is not accepted", async () => {
    const [, id] = (await listOf(phone)).map((each) => each.id);
    const end = "mutation($id: Int) { deleteSession(input: { id: $id }) { ended } }";
    const answer = await phone.graphql(end, { id });
    expect([answer.json.data, answer.headers.getSetCookie()]).toEqual([{ deleteSession: { ended: true } }, []]);
    expect([await whoIs(laptop), await whoIs(phone)]).toEqual([null, { id: owner.id }]);
    expect((await laptop.get("/profile.json")).status).toBe(403);
    expect((await phone.graphql(end, { id })).json.errors[0].extensions.status).toBe(404);
  });

  it("deleteSession can't end another user's session", async () => {
    const [mine] = await listOf(phone);
    for (const [client, status] of [
      [user.client, 404],
      [test.anonymous, 403],
    ] as const) {
      const { json } = await client.graphql(`mutation { deleteSession(input: { id: ${mine?.id} }) { ended } }`);
      expect(json.errors[0].extensions.status).toBe(status);
    }
    expect(await whoIs(phone)).toEqual({ id: owner.id });
  });

  it("deleteSession without an id, or with the current one, signs out and clears the cookies", async () => {
    for (const withId of [false, true]) {
      const { page } = await enter(owner);
      const [own] = await listOf(page);
      const input = withId ? `(input: { id: ${own?.id} })` : "";
      const answer = await page.graphql(`mutation { deleteSession${input} { ended } }`);
      expect(answer.json.data).toEqual({ deleteSession: { ended: true } });
      const cookies = setCookies(answer);
      expect([...cookies.keys()]).toEqual(["session", "user_name", "password_hash"]);
      for (const cookie of cookies.values()) expect(cookie).toMatch(/^\w+=;.*Expires=Thu, 01 Jan 1970/);
      expect(await whoIs(page)).toBeNull();
    }
  });

  it("deleteSession runs later fields of the request as a visitor", async () => {
    const { page } = await enter(owner);
    const { json } = await page.graphql(`mutation { deleteSession { ended } deleteAllSessions { endedCount } }`);
    expect([json.data, json.errors[0].extensions]).toEqual([
      { deleteSession: { ended: true }, deleteAllSessions: null },
      refusal("login required"),
    ]);
    expect(await whoIs(phone)).toEqual({ id: owner.id });
  });

  it("deleteAllSessions ends all others, or all, but not API keys and other users' sessions", async () => {
    const others = [(await enter(owner)).page, (await enter(owner)).page];
    const stranger = (await enter(user)).page;
    const except = await phone.graphql("mutation { deleteAllSessions(input: { exceptCurrent: true }) { endedCount } }");
    expect([except.json.data, except.headers.getSetCookie()]).toEqual([{ deleteAllSessions: { endedCount: 2 } }, []]);
    expect([...(await Promise.all(others.map(whoIs))), await whoIs(phone)]).toEqual([null, null, { id: owner.id }]);
    const all = await phone.graphql("mutation { deleteAllSessions { endedCount } }");
    expect(all.json.data).toEqual({ deleteAllSessions: { endedCount: 1 } });
    expect(setCookies(all).get("session")).toMatch(/^session=;/);
    expect([await whoIs(phone), await whoIs(owner.client), await whoIs(stranger)]).toEqual([
      null,
      { id: owner.id },
      { id: user.id },
    ]);
  });
});

describe("REQUIRE_LOGIN", () => {
  let closed: TestBoard;
  let member: TestUser;
  beforeAll(async () => {
    closed = await startBoard({ REQUIRE_LOGIN: "true" });
    member = await closed.make.user();
  });
  afterAll(() => closed[Symbol.asyncDispose]());

  it("lets visitors query the viewer, sign in, out and up", async () => {
    expect((await closed.anonymous.graphql(VIEWER)).json).toMatchObject({ data: { viewer: null } });
    const { answer, page } = await enter(member, closed.anonymous);
    expect(answer.json.data.createSession.user.id).toBe(member.id);
    expect((await page.graphql("{ posts { totalCount } }")).json.data).toEqual({ posts: { totalCount: 0 } });
    const signUp = 'mutation { createUser(input: { name: "comer", password: "a long password" }) { user { name } } }';
    expect((await closed.anonymous.graphql(signUp)).json.data.createUser.user).toEqual({ name: "comer" });
    const out = await closed.anonymous.graphql("mutation { deleteSession { ended } }");
    expect(out.json.data).toEqual({ deleteSession: { ended: true } });
  });

  it.each([
    "{ posts { totalCount } }",
    "{ viewer { id } users { totalCount } }",
    "{ ...F } fragment F on Query { viewer { id } posts { totalCount } }",
    "{ ... on Query { me: viewer { id } all: posts { totalCount } } }",
    "{ __schema { queryType { name } } }",
    '{ __type(name: "User") { name } }',
    `mutation { deleteAllSessions { endedCount } }`,
  ])("refuses %s to visitors", async (query) => {
    const { status, json } = await closed.anonymous.graphql(query);
    expect([status, json.data, json.errors[0].extensions]).toEqual([403, undefined, refusal("login required")]);
  });

  it("refuses other fields beside a sign-in, and does not sign in", async () => {
    const { name, password } = member;
    const query = `mutation($input: CreateSessionInput!) { createSession(input: $input) { csrfToken } markAllDmailsAsRead { __typename } }`;
    const answer = await closed.anonymous.graphql(query, { input: { name, password } });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
  });
});

describe("credentials", () => {
  it("that are wrong are refused, never treated as a visitor's", async () => {
    const { status, json } = await test.anonymous.as({ name: user.name, apiKey: "wrong" }).graphql(VIEWER);
    const reason = "authentication failed";
    expect([status, json]).toEqual([403, { errors: [{ message: reason, extensions: refusal(reason) }] }]);
  });

  it("may be in the URL", async () => {
    const query = `login=${user.name}&api_key=${encodeURIComponent(user.apiKey)}`;
    const answer = await test.anonymous.json("POST", `/graphql?${query}`, { query: VIEWER });
    expect(viewerOf(answer)).toEqual({ id: user.id });
  });
});
