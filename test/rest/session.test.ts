import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { hashPassword } from "../../src/runtime/auth/password.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { cookieOf, replacePassword, setCookies, signIn } from "../support/session.js";

let test: TestBoard;
let user: TestUser;
beforeAll(async () => {
  test = await startBoard();
  user = await test.make.user("Member", "Alma");
});
afterAll(() => test[Symbol.asyncDispose]());

const seen = ({ status, json }: Answer): unknown[] => [status, (json as { reason: string }).reason];
const whoIs = async (client: Client): Promise<string | number> => {
  const { status, json } = await client.get("/profile.json");
  return status === 200 ? String(json.name) : status;
};

describe("POST /session.json", () => {
  it("accepts a form, returns the user and a CSRF token, and sets the cookies", async () => {
    const answer = await test.anonymous.post("/session.json", { name: "alma", password: user.password });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ success: true, reason: "", id: user.id, name: "Alma", level: 20 });
    expect(answer.json.csrf_token).toMatch(/^[\w-]{43}$/);
    expect(answer.headers.get("location")).toBeNull();
    expect(await whoIs(test.anonymous.with({ cookie: cookieOf(answer) }))).toBe("Alma");
  });

  it("accepts JSON, bracket names, a multipart form, and a path without extension", async () => {
    const { name, password } = user;
    const form = new FormData();
    form.append("name", name);
    form.append("password", password);
    const answers = [
      await test.anonymous.json("POST", "/session.json", { name, password }),
      await test.anonymous.post("/session.json", { session: { name, password } }),
      await test.anonymous.send("/session.json", { method: "POST", body: form }),
      await test.anonymous.post("/session", { name, password }),
    ];
    expect(answers.map(({ status, json }) => [status, json.name])).toEqual(
      Array.from({ length: 4 }, () => [200, "Alma"]),
    );
  });

  it("returns one empty element in XML", async () => {
    const { text } = await test.anonymous.post("/session.xml", { name: user.name, password: user.password });
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
  });

  it("sets cookies that scripts can't read and other sites don't send", async () => {
    const { headers } = await test.anonymous.post("/session.json", { name: user.name, password: user.password });
    const cookies = headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.split("=")[0])).toEqual(["session", "user_name", "password_hash"]);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; Path=\/;/);
      expect(cookie).toMatch(/; HttpOnly(;|$)/);
      expect(cookie).toMatch(/; SameSite=Lax(;|$)/);
      expect(cookie).not.toMatch(/; Secure/);
    }
    expect(cookies[0]).toMatch(/^session=[\w-]{43};/);
    expect(decodeURIComponent(cookies[1] ?? "")).toMatch(/^user_name=s:Alma\.[\w+/]{40,};/);
    expect(decodeURIComponent(cookies[2] ?? "")).toContain(`password_hash=${user.apiKey};`);
  });

  it("is not cacheable, nor are responses that show a key or sign up", async () => {
    const { name, password } = user;
    const account = { name: "newcomer_x", password: "a new password" };
    const answers = [
      await test.anonymous.post("/session.json", { name, password }),
      await test.anonymous.post("/users.json", { user: account }),
      await user.client.get("/profile.json"),
      await user.client.get("/profile.xml"),
    ];
    for (const { status, headers } of answers)
      expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect((await user.client.get("/users.json")).headers.get("cache-control")).toBe("private, no-cache");
  });

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ["behind a proxy that speaks HTTPS", { TRUST_PROXY: "1" }, { "x-forwarded-proto": "https" }],
    ["where PUBLIC_URL is HTTPS", { PUBLIC_URL: "https://board.example" }, {}],
  ])("sets secure cookies, the session's with __Host-, %s", async (_, settings, headers) => {
    await using secure = await startBoard(settings);
    const { name, password } = await secure.make.user();
    const client = secure.anonymous.with(headers);
    const answer = await client.post("/session.json", { name, password });
    const cookies = [...setCookies(answer)];
    expect(cookies.map(([each]) => each)).toEqual(["__Host-session", "user_name", "password_hash"]);
    for (const [, cookie] of cookies) expect(cookie).toMatch(/; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
    expect(cookies.map(([, cookie]) => cookie).join()).not.toContain("Domain");
    const own = cookieOf(answer, "__Host-session");
    expect(await whoIs(client.with({ cookie: own }))).toBe(name);
    // another host of the domain can set the other name only
    expect(await whoIs(client.with({ cookie: own.replace("__Host-", "") }))).toBe(403);
  });

  it("creates a new token for each sign-in, whatever the browser sends, and ends its previous session", async () => {
    const first = await signIn(test.anonymous, user);
    const again = await signIn(first.client.with({ origin: test.url }), user);
    expect(again.cookie.split("; ")[0]).not.toBe(first.cookie.split("; ")[0]);
    expect([await whoIs(first.client), await whoIs(again.client)]).toEqual([403, "Alma"]);
    const planted = `session=${"A".repeat(43)}`;
    const after = await signIn(test.anonymous.with({ cookie: planted }), user);
    expect(after.cookie).not.toContain(planted);
    expect(await whoIs(test.anonymous.with({ cookie: planted }))).toBe(403);
  });

  it("403, the same for a wrong password, an unknown user and a deleted one", async () => {
    const gone = await test.make.user();
    await test.board.database.user.update({ where: { id: gone.id }, data: { isDeleted: true } });
    const answers = [
      await test.anonymous.post("/session.json", { name: user.name, password: "wrong" }),
      await test.anonymous.post("/session.json", { name: "nobody_of_this_name", password: "wrong" }),
      await test.anonymous.post("/session.json", { name: "nul\0", password: "\0" }),
      await test.anonymous.post("/session.json", { name: gone.name, password: gone.password }),
    ];
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(seen)).toEqual(Array.from({ length: 4 }, () => [403, "authentication failed"]));
    expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
  });

  it("424 without name or password, naming it", async () => {
    expect(seen(await test.anonymous.post("/session.json", { name: "alma" }))).toEqual([424, "password is required"]);
    expect(seen(await test.anonymous.post("/session.json"))).toEqual([424, "name is required"]);
  });

  it("the API key is not a password", async () => {
    const { name, apiKey } = user;
    expect(seen(await test.anonymous.post("/session.json", { name, password: apiKey }))).toEqual([
      403,
      "authentication failed",
    ]);
  });
});

describe("DELETE /session.json", () => {
  it("ends the session and clears the cookies", async () => {
    const { client } = await signIn(test.anonymous, user);
    const { status, json, headers } = await client.with({ origin: test.url }).delete("/session.json");
    expect([status, json]).toEqual([200, { success: true, reason: "" }]);
    const cleared = headers.getSetCookie().map((cookie) => cookie.split("; "));
    expect(cleared.map(([pair]) => pair)).toEqual(["session=", "user_name=", "password_hash="]);
    for (const attributes of cleared) expect(attributes).toContain("Expires=Thu, 01 Jan 1970 00:00:00 GMT");
    expect(await whoIs(client)).toBe(403);
  });

  it("succeeds without a session, and without extension", async () => {
    const { status, headers } = await test.anonymous.delete("/session");
    expect([status, headers.getSetCookie().length]).toEqual([200, 3]);
  });

  it("keeps other sessions of the user", async () => {
    const [here, there] = [await signIn(test.anonymous, user), await signIn(test.anonymous, user)];
    await here.client.with({ origin: test.url }).delete("/session.json");
    expect([await whoIs(here.client), await whoIs(there.client)]).toEqual([403, "Alma"]);
  });

  it("can only clear the REST interface's own cookies: the API key in them stays valid", async () => {
    const { name, password } = user;
    const answer = await test.anonymous.post("/session.json", { name, password });
    const legacy = test.anonymous.with({ cookie: cookieOf(answer, "user_name", "password_hash") });
    expect((await legacy.with({ origin: test.url }).delete("/session.json")).status).toBe(200);
    expect(await whoIs(legacy)).toBe("Alma");
  });
});

describe("a request with the session's cookies", () => {
  let post: TestPost;
  beforeAll(async () => {
    post = await test.make.post("one_tag");
  });
  const tagsNow = async () => String((await test.anonymous.get(`/posts/${post.id}.json`)).json.tag_string);
  const edit = (client: Client, tag_string: string) => client.put(`/posts/${post.id}.json`, { post: { tag_string } });

  it("reads as the user, whatever site it comes from", async () => {
    const { client } = await signIn(test.anonymous, user);
    expect(await whoIs(client.with({ "sec-fetch-site": "cross-site" }))).toBe("Alma");
    expect(await whoIs(client.with({ origin: "https://evil.example" }))).toBe("Alma");
  });

  it("can write with the same Origin, with Sec-Fetch-Site: same-origin, or with the X-CSRF-Token", async () => {
    const { client, csrfToken } = await signIn(test.anonymous, user);
    const ways: Record<string, string>[] = [
      { origin: test.url },
      { "sec-fetch-site": "same-origin" },
      { "x-csrf-token": csrfToken },
      { "x-csrf-token": csrfToken, origin: "https://evil.example" },
    ];
    for (const [index, headers] of ways.entries()) {
      const { status } = await edit(client.with(headers), `by_way_${index}`);
      expect([status, await tagsNow()]).toEqual([200, `by_way_${index} lowres`]);
    }
  });

  it("403 for a write from elsewhere, and nothing changes", async () => {
    const { client } = await signIn(test.anonymous, user);
    const other = await signIn(test.anonymous, await test.make.user());
    const before = await tagsNow();
    const ways: Record<string, string>[] = [
      {},
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `${test.url}.evil.example` },
      { origin: "http://127.0.0.1:1" },
      { "sec-fetch-site": "cross-site", origin: test.url },
      { "sec-fetch-site": "same-site" },
      { "x-csrf-token": "guess" },
      { "x-csrf-token": other.csrfToken },
    ];
    const reason = "cookie writes need the Origin of this site or an X-CSRF-Token header";
    for (const headers of ways) {
      expect(seen(await edit(client.with(headers), "from_elsewhere"))).toEqual([403, reason]);
    }
    expect(seen(await client.post(`/posts/${post.id}.json?_method=put`, { post: { tag_string: "x" } }))).toEqual([
      403,
      reason,
    ]);
    expect(seen(await client.graphql(`mutation { deleteSession { ended } }`))[0]).toBe(403);
    expect(await tagsNow()).toBe(before);
  });

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ["is served by HTTPS", { TRUST_PROXY: "1" }, { "x-forwarded-proto": "https", "x-forwarded-host": "board.example" }],
    ["has a PUBLIC_URL by HTTPS", { PUBLIC_URL: "https://board.example" }, {}],
  ])("403 for a write from an HTTP page of the same host where the board %s", async (_, settings, headers) => {
    await using secure = await startBoard(settings);
    const { client } = await signIn(secure.anonymous.with(headers), await secure.make.user());
    const write = ["https", "http"].map((scheme) =>
      client
        .with({ origin: `${scheme}://board.example` })
        .post("/favorite_groups.json", { favorite_group: { name: scheme } }),
    );
    expect((await Promise.all(write)).map(({ status }) => status)).toEqual([200, 403]);
  });

  it("is anonymous if a cookie was tampered with, or the other is missing", async () => {
    const admin = await test.make.user("Admin");
    const { cookie } = await signIn(test.anonymous, user);
    const [session = "", name = "", hash = ""] = cookie.split("; ");
    expect(await whoIs(test.anonymous.with({ cookie: `${name}; ${hash}` }))).toBe("Alma");
    const forged = [
      `session=${"A".repeat(43)}`,
      session.slice(0, -1),
      `${session}A`,
      session.toUpperCase(),
      // a session that has ended does not go on by the other cookies
      `session=ended; ${name}; ${hash}`,
      `user_name=${admin.name}; ${hash}`,
      `${name.replace("Alma", admin.name)}; ${hash}`,
      `${name}; password_hash=${encodeURIComponent(admin.apiKey)}`,
      `user_name=${user.name}; ${hash}`,
      name,
      hash,
      "user_name=s%3A; password_hash=j%3A%7B%7D",
      "user_name=%E0%A4%A; password_hash=%",
      "session=j%3A%7B%7D",
    ];
    const answers = await Promise.all(forged.map((each) => whoIs(test.anonymous.with({ cookie: each }))));
    expect(answers).toEqual(forged.map(() => 403));
    for (const each of forged)
      expect((await test.anonymous.with({ cookie: each }).get("/posts.json")).status).toBe(200);
  });

  it("is the key's user if there is a key too: stale cookies and missing tokens don't matter", async () => {
    const writer = await test.make.user();
    const { cookie } = await signIn(test.anonymous, user);
    for (const each of [cookie, "user_name=s%3Aold.sig; password_hash=stale", "user_name=x"]) {
      const { status, json } = await writer.client.with({ cookie: each }).get("/profile.json");
      expect([status, json.name]).toEqual([200, writer.name]);
      const written = await edit(writer.client.with({ cookie: each, origin: "https://elsewhere.example" }), "by_key");
      expect(written.status).toBe(200);
    }
  });

  it("a change of the password ends every session and every key", async () => {
    const changing = await test.make.user();
    const { client } = await signIn(test.anonymous, changing);
    expect([await whoIs(client), await whoIs(changing.client)]).toEqual([changing.name, changing.name]);
    const passwordHash = await hashPassword("another password", test.board.config);
    await replacePassword(test, changing.id, passwordHash);
    expect([await whoIs(client), seen(await changing.client.get("/posts.json"))]).toEqual([
      403,
      [403, "authentication failed"],
    ]);
    expect((await client.get("/posts.json")).status).toBe(200);
    await expect(signIn(test.anonymous, changing)).rejects.toThrow("authentication failed");
    const { client: fresh } = await signIn(test.anonymous, { ...changing, password: "another password" });
    expect(await whoIs(fresh)).toBe(changing.name);
  });

  it("is anonymous if the session was not used for 30 days, or the account was closed", async () => {
    const [idle, closed] = [await test.make.user(), await test.make.user()];
    const clients = [(await signIn(test.anonymous, idle)).client, (await signIn(test.anonymous, closed)).client];
    const { database } = test.board;
    await database.execute(
      sql`UPDATE user_sessions SET last_used_at = now() - interval '30 days' WHERE user_id = ${idle.id}`,
    );
    await database.user.update({ where: { id: closed.id }, data: { isDeleted: true } });
    expect(await Promise.all(clients.map(whoIs))).toEqual([403, 403]);
  });

  it("is affected by a ban at once", async () => {
    const banned = await test.make.user();
    const { client } = await signIn(test.anonymous, banned);
    await test.board.database.user.update({ where: { id: banned.id }, data: { isBanned: true } });
    const answer = await edit(client.with({ origin: test.url }), "by_a_banned_one");
    expect(seen(answer)).toEqual([403, "your account is banned"]);
  });
});

describe("with LEGACY_COOKIES=false", () => {
  it("signing in sets only the session's cookie, and the others are not accepted", async () => {
    await using strict = await startBoard({ LEGACY_COOKIES: "false" });
    const { name, password } = await strict.make.user();
    const answer = await strict.anonymous.post("/session.json", { name, password });
    expect([...setCookies(answer).keys()]).toEqual(["session"]);
    expect(await whoIs(strict.anonymous.with({ cookie: cookieOf(answer) }))).toBe(name);
    // the same database and secret, and the cookies of before the setting was changed
    await using lax = await startBoard({ DATABASE_URL: strict.board.databaseUrl, SECRET: strict.board.secret });
    const before = await lax.anonymous.post("/session.json", { name, password });
    const cookie = cookieOf(before, "user_name", "password_hash");
    expect(await whoIs(lax.anonymous.with({ cookie }))).toBe(name);
    expect(await whoIs(strict.anonymous.with({ cookie }))).toBe(403);
    const { headers } = await strict.anonymous.with({ cookie }).post("/session.json", { name, password });
    expect(headers.getSetCookie().map((each) => each.split(";")[0])).toEqual([
      expect.stringMatching(/^session=.{43}$/),
      "user_name=",
      "password_hash=",
    ]);
  });
});
