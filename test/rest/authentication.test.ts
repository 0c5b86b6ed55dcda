/** Authentication: the forms of credentials, their precedence, and wrong ones. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isOpenBeforeLogin } from "../../graphql/shared/access.js";
import { legacyHash } from "../../src/runtime/auth/password.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client, Params } from "../support/client.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { mutations } from "../support/permission-walk.js";
import { fieldOf, isRead, rows } from "../support/rest-rows.js";
import { signIn } from "../support/session.js";

let test: TestBoard;
let user: TestUser;
let post: TestPost;
beforeAll(async () => {
  test = await startBoard();
  user = await test.make.user("Member", "Alma");
  post = await test.make.post("one_tag");
});
afterAll(() => test[Symbol.asyncDispose]());

const WRONG = [403, "authentication failed"];
const seen = ({ status, json }: Answer): unknown[] => [status, (json as { reason: string }).reason];
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });
const sha1 = ({ password }: TestUser): string => legacyHash(password, "choujin-steiner");

/** Changes the tags of the post, which only members may. */
const edit = (client: Client, params: Params = {}) =>
  client.put(`/posts/${post.id}.json`, { post: { tag_string: "one_tag" }, ...params });

describe("the legacy hash", () => {
  it("is the SHA-1 of the password between the salt's dashes", () => {
    expect(legacyHash("PASSWORD", "choujin-steiner")).toBe("6e18897e98bb49d50d3a8eee31226a4bd19149bd");
  });
});

describe("credentials", () => {
  it("HTTP Basic, with the API key as password and the name in any case", async () => {
    for (const name of ["Alma", "ALMA", " alma "]) {
      const { status, json } = await test.anonymous.with(basic(`${name}:${user.apiKey}`)).get("/profile.json");
      expect([status, json.name]).toEqual([200, "Alma"]);
    }
  });

  it("login and api_key in the query, of reads and of writes", async () => {
    const credentials = { login: "alma", api_key: user.apiKey };
    expect((await test.anonymous.get("/profile.json", credentials)).json.name).toBe("Alma");
    const query = new URLSearchParams(credentials).toString();
    const { status } = await test.anonymous.put(`/posts/${post.id}.json?${query}`, { post: { tag_string: "one_tag" } });
    expect(status).toBe(200);
  });

  it("login and api_key in a body: urlencoded, multipart and JSON, of DELETE too", async () => {
    const credentials = { login: user.name, api_key: user.apiKey };
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...credentials, "post[tag_string]": "one_tag" }))
      form.append(name, value);
    const path = `/posts/${post.id}`;
    const answers = [
      await edit(test.anonymous, credentials),
      await test.anonymous.send(`${path}.json`, { method: "PUT", body: form }),
      await test.anonymous.json("PUT", `${path}.json`, { ...credentials, post: { tag_string: "one_tag" } }),
      await test.anonymous.json("POST", `${path}/votes.json`, { ...credentials, score: "up" }),
      await test.anonymous.json("DELETE", `${path}/votes.json`, credentials),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  it("login and password_hash, the old salted SHA-1, in either case of its digits", async () => {
    for (const password_hash of [sha1(user), sha1(user).toUpperCase()]) {
      expect((await test.anonymous.get("/profile.json", { login: "alma", password_hash })).json.name).toBe("Alma");
    }
    expect((await edit(test.anonymous, { login: "alma", password_hash: sha1(user) })).status).toBe(200);
  });

  it("wrong ones are 403 even on public reads, in the requested format", async () => {
    const { name, apiKey, password } = user;
    const reads: Params[] = [
      { login: name, api_key: "wrong" },
      { login: name, api_key: `${apiKey}x` },
      { login: name, api_key: password },
      { login: name, api_key: sha1(user) },
      { login: "nobody_here", api_key: apiKey },
      { login: name, password_hash: "0".repeat(40) },
      { login: name, password_hash: apiKey },
      { login: "nul\0", api_key: "\0" },
    ];
    for (const params of reads) expect(seen(await test.anonymous.get("/posts.json", params))).toEqual(WRONG);
    for (const text of [`${name}:wrong`, name, `:${apiKey}`, ":", `${name}:`, `nobody:${apiKey}`]) {
      expect(seen(await test.anonymous.with(basic(text)).get("/posts.json"))).toEqual(WRONG);
    }
    const { text } = await test.anonymous.get("/posts.xml", { login: name, api_key: "wrong" });
    expect(text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><response success="false" reason="authentication failed"/>',
    );
  });

  it("HTTP Basic that can't be decoded is wrong, not ignored", async () => {
    for (const authorization of ["Basic", "Basic !!!", "basic ~"]) {
      expect(seen(await test.anonymous.with({ authorization }).get("/posts.json"))).toEqual(WRONG);
    }
  });

  it("another scheme, a login without a key and a key without a login are ignored", async () => {
    expect((await test.anonymous.with({ authorization: "Bearer x" }).get("/posts.json")).status).toBe(200);
    for (const params of [{ login: "alma" }, { api_key: "x" }, { login: "", api_key: "" }, { login: { a: "b" } }]) {
      expect((await test.anonymous.get("/posts.json", params as Params)).status).toBe(200);
    }
  });
});

describe("the precedence of credentials", () => {
  it("Basic, then login and api_key, then password_hash, then the session", async () => {
    const [first, second, third, fourth] = [
      await test.make.user(),
      await test.make.user(),
      await test.make.user(),
      await test.make.user(),
    ];
    const { cookie } = await signIn(test.anonymous, fourth);
    const client = test.anonymous.with({ cookie });
    const hash = { login: third.name, password_hash: sha1(third) };
    const key = { login: second.name, api_key: second.apiKey, password_hash: sha1(third) };
    const asked: [Client, Params][] = [
      [client.as(first), key],
      [client, key],
      [client, hash],
      [client, {}],
    ];
    const names = [];
    for (const [each, params] of asked) names.push((await each.get("/profile.json", params)).json.name as string);
    expect(names).toEqual([first.name, second.name, third.name, fourth.name]);
  });

  it("a wrong one is 403 even if a later one is right", async () => {
    const { client } = await signIn(test.anonymous, user);
    expect(seen(await client.get("/posts.json", { login: user.name, api_key: "wrong" }))).toEqual(WRONG);
    const key = { login: user.name, api_key: user.apiKey };
    expect(seen(await test.anonymous.with(basic("alma:wrong")).get("/posts.json", key))).toEqual(WRONG);
  });
});

describe("banned and deleted accounts", () => {
  const change = (id: number, data: object) => test.board.database.user.update({ where: { id }, data });

  it("a banned user can read, but writes are 403 and change nothing", async () => {
    const banned = await test.make.user("Contributor");
    await change(banned.id, { isBanned: true });
    const answers = [
      await edit(banned.client, { post: { tag_string: "vandalised" } }),
      await banned.client.post(`/posts/${post.id}/votes.json`, { score: "down" }),
      await test.make.upload(banned),
    ];
    expect(answers.map(seen)).toEqual(Array.from({ length: 3 }, () => [403, "your account is banned"]));
    const { json } = await banned.client.get(`/posts/${post.id}.json`);
    expect([json.tag_string, json.score]).toEqual(["lowres one_tag", 0]);
  });

  it("a deleted account's key and password are wrong", async () => {
    const gone = await test.make.user();
    await change(gone.id, { isDeleted: true });
    expect(seen(await gone.client.get("/posts.json"))).toEqual(WRONG);
    expect(seen(await test.anonymous.get("/posts.json", { login: gone.name, password_hash: sha1(gone) }))).toEqual(
      WRONG,
    );
  });
});

describe("guessing passwords", () => {
  it("421 after LOGIN_ATTEMPTS_PER_HOUR wrong passwords for a name, while its API key goes on working", async () => {
    await using small = await startBoard({ LOGIN_ATTEMPTS_PER_HOUR: "3" });
    const victim = await small.make.user();
    const guess = (password: string) =>
      small.anonymous.post("/session.json", { name: victim.name.toUpperCase(), password });
    const hash = (password_hash: string) => small.anonymous.get("/posts.json", { login: victim.name, password_hash });
    const statuses = [await guess("one"), await hash("two"), await guess("three")].map(({ status }) => status);
    const refused = [await guess(victim.password), await hash(sha1(victim))];
    expect(statuses).toEqual([403, 403, 403]);
    for (const answer of refused) {
      expect(seen(answer)).toEqual([421, "too many failed logins; try again later"]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(3500);
    }
    expect((await victim.client.get("/profile.json")).json.name).toBe(victim.name);
  });

  it("421 for every name after as many from one address, not counting successes", async () => {
    await using small = await startBoard({ LOGIN_ATTEMPTS_PER_HOUR: "3" });
    const [first, second, third] = [await small.make.user(), await small.make.user(), await small.make.user()];
    const at = (name: string, password: string) => small.anonymous.post("/session.json", { name, password });
    const statuses = [];
    for (const { name, password } of [first, second]) {
      for (const each of ["wrong", password, password]) statuses.push((await at(name, each)).status);
    }
    statuses.push((await at("nobody_at_all", "wrong")).status, (await at(third.name, third.password)).status);
    expect(statuses).toEqual([403, 200, 200, 403, 200, 200, 403, 421]);
  });
});

describe("REQUIRE_LOGIN", () => {
  it("allows visitors the same in REST and GraphQL", async () => {
    await using closed = await startBoard({ REQUIRE_LOGIN: "true" });
    const fields = mutations.filter((field) => isOpenBeforeLogin(field));
    const open = new Set(fields.map(({ name }) => name));
    expect([...open].sort()).toEqual(["createSession", "createUser", "deleteSession", "recoverAccount"]);
    for (const [name, row] of rows.filter((each) => !isRead(each))) {
      const path = row.path.replaceAll(/:\w+/g, "1");
      const { json } = await closed.anonymous.send(`${path}.json`, { method: row.method });
      const isRefused = (json as { reason: string }).reason === "login required";
      expect([name, isRefused]).toEqual([name, !open.has(fieldOf(row))]);
    }
  });

  it("403 for visitors, except signing up, in and out, and health checks", async () => {
    await using closed = await startBoard({ REQUIRE_LOGIN: "true" });
    const { anonymous } = closed;
    const member = await closed.make.user();
    for (const path of [
      "/posts.json",
      "/users.json",
      "/users/1.json",
      "/profile.json",
      "/nowhere.json",
      "/session.json",
    ]) {
      expect(seen(await anonymous.get(path))).toEqual([403, "login required"]);
    }
    const { status, json } = await anonymous.graphql("{ posts { totalCount } }");
    expect([status, json.errors[0].message]).toEqual([403, "login required"]);
    const { name, password } = member;
    const open = [
      await anonymous.post("/users.json", { user: { name: "may_sign_up", password: "a good one" } }),
      await anonymous.post("/session", { name, password }),
      await anonymous.delete("/session.json"),
      await anonymous.get("/healthz"),
      await anonymous.send("/posts.json", { method: "OPTIONS" }),
      await member.client.get("/users.json"),
      await (await signIn(anonymous, member)).client.get("/posts.json"),
    ];
    expect(open.map((answer) => answer.status)).toEqual(open.map(() => 200));
  });
});
