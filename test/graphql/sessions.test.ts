/** Signing in and out through POST /graphql, and what the session's cookies may do. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

const SIGN_IN = `mutation($input: CreateSessionInput!) {
  createSession(input: $input) { user { id name settings { apiKey } } csrfToken }
}`;

let test: TestBoard;
let user: TestUser;
beforeAll(async () => {
  test = await startBoard({ LOGIN_ATTEMPTS_PER_HOUR: "3" });
  user = await test.make.user();
});
afterAll(() => test[Symbol.asyncDispose]());

const signIn = (name: string, password: string): Promise<Answer> =>
  test.anonymous.graphql(SIGN_IN, { input: { name, password } });

/** name -> the cookie as the server sets it */
const cookiesOf = ({ headers }: Answer): Map<string, string> =>
  new Map(headers.getSetCookie().map((cookie) => [cookie.slice(0, cookie.indexOf("=")), cookie]));

/** Requests with the cookies of an answer, as a browser sends them back. */
function withCookies(answer: Answer, headers: Record<string, string> = {}): Client {
  const cookie = [...cookiesOf(answer).values()].map((text) => text.split(";")[0]).join("; ");
  return test.anonymous.with({ cookie, ...headers });
}

const viewerOf = (answer: Answer) => answer.json.data?.viewer as unknown;
const VIEWER = "{ viewer { id } }";
const sameSite = { "sec-fetch-site": "same-origin" };

describe("createSession", () => {
  it("signs in, in any case of the name, and sets both cookies", async () => {
    const answer = await signIn(user.name.toUpperCase(), user.password);
    const cookies = cookiesOf(answer);
    expect(answer.json.data.createSession.user).toEqual({ id: user.id, name: user.name, settings: null });
    expect([...cookies.keys()]).toEqual(["user_name", "password_hash"]);
    for (const cookie of cookies.values()) expect(cookie).toMatch(/; Path=\/; .*HttpOnly; SameSite=Lax$/);
    expect(viewerOf(await withCookies(answer, sameSite).graphql(VIEWER))).toEqual({ id: user.id });
  });

  it("refuses a wrong password and an unknown name alike, and sets no cookie", async () => {
    const refusal = { code: "FORBIDDEN", status: 403, reason: "authentication failed" };
    for (const answer of [await signIn("nobody_at_all", "secret"), await signIn(user.name, "wrong")]) {
      expect([answer.json.data, answer.json.errors[0].extensions]).toEqual([null, refusal]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it("is throttled after LOGIN_ATTEMPTS_PER_HOUR failures, for the right password too", async () => {
    await using board = await startBoard({ LOGIN_ATTEMPTS_PER_HOUR: "3" });
    const victim = await board.make.user();
    const attempt = async (password: string) =>
      (await board.anonymous.graphql(SIGN_IN, { input: { name: victim.name, password } })).json;
    for (let count = 0; count < 3; count += 1) await attempt("wrong");
    const { errors } = await attempt(victim.password);
    expect(errors[0].extensions).toMatchObject({ code: "THROTTLED", status: 421 });
    expect(errors[0].extensions.retryAfter).toBeGreaterThan(3500);
    expect((await victim.client.graphql(VIEWER)).json.data).toEqual({ viewer: { id: victim.id } });
  });
});

describe("a session", () => {
  let session: Answer;
  beforeAll(async () => {
    session = await signIn(user.name, user.password);
  });

  it("is believed from this site's own pages", async () => {
    const origin = withCookies(session, { origin: test.url });
    const fetchSite = withCookies(session, sameSite);
    expect([viewerOf(await origin.graphql(VIEWER)), viewerOf(await fetchSite.graphql(VIEWER))]).toEqual([
      { id: user.id },
      { id: user.id },
    ]);
  });

  it("is believed with the CSRF token, wherever it comes from", async () => {
    const { csrfToken } = session.json.data.createSession as { csrfToken: string };
    const client = withCookies(session, { "x-csrf-token": csrfToken, "sec-fetch-site": "cross-site" });
    expect(viewerOf(await client.graphql(VIEWER))).toEqual({ id: user.id });
  });

  it.each([
    ["another site's page", { origin: "https://evil.example" }],
    ["another site's page, as browsers say", { "sec-fetch-site": "cross-site" }],
    ["a page of a sister site", { "sec-fetch-site": "same-site" }],
    ["somebody who does not say", {}],
    ["a page without an origin", { origin: "null" }],
    ["somebody with a wrong token", { "x-csrf-token": "x", "sec-fetch-site": "cross-site" }],
  ])("is refused from %s", async (_name, headers) => {
    const { id: postId } = await test.make.post();
    const document = `mutation { createPostVote(input: { postId: ${postId}, score: UP }) { vote { id } } }`;
    const { status, json } = await withCookies(session, headers).graphql(document);
    const reason = "cookie writes need the Origin of this site or an X-CSRF-Token header";
    expect([status, json]).toEqual([
      403,
      { errors: [{ message: reason, extensions: { code: "FORBIDDEN", status: 403, reason } }] },
    ]);
    expect(await test.board.prisma.postVote.count({ where: { postId } })).toBe(0);
  });

  it("does not count where the name is not the signed one", async () => {
    const other = await test.make.user();
    const cookie = `user_name=${other.name}; password_hash=${encodeURIComponent(user.apiKey)}`;
    expect(viewerOf(await test.anonymous.with({ cookie, ...sameSite }).graphql(VIEWER))).toBeNull();
  });
});

describe("deleteSession", () => {
  it("clears both cookies", async () => {
    const session = await signIn(user.name, user.password);
    const answer = await withCookies(session, sameSite).graphql("mutation { deleteSession { ended } }");
    expect(answer.json.data).toEqual({ deleteSession: { ended: true } });
    const cookies = cookiesOf(answer);
    expect([...cookies.keys()]).toEqual(["user_name", "password_hash"]);
    for (const cookie of cookies.values()) expect(cookie).toMatch(/^\w+=;.*Expires=Thu, 01 Jan 1970/);
  });
});

describe("credentials", () => {
  it("that are wrong are refused, never taken for a visitor's", async () => {
    const { status, json } = await test.anonymous.as({ name: user.name, apiKey: "wrong" }).graphql(VIEWER);
    const reason = "authentication failed";
    expect([status, json]).toEqual([
      403,
      { errors: [{ message: reason, extensions: { code: "FORBIDDEN", status: 403, reason } }] },
    ]);
  });

  it("may stand in the URL", async () => {
    const query = `login=${user.name}&api_key=${encodeURIComponent(user.apiKey)}`;
    const answer = await test.anonymous.json("POST", `/graphql?${query}`, { query: VIEWER });
    expect(viewerOf(answer)).toEqual({ id: user.id });
  });
});
