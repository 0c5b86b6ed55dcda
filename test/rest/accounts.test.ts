/** Accounts over their whole life, by both APIs: a new password, a new API key, recovery, closing. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { legacyHash } from "../../src/runtime/auth/password.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { holdRow, PATIENCE } from "../support/held-table.js";
import { cookieOf, signIn } from "../support/session.js";
import { digestOf } from "../support/traces.js";

let test: TestBoard;
let admin: TestUser;
beforeAll(async () => {
  test = await startBoard({ LOGIN_ATTEMPTS_PER_HOUR: "5", TRUST_PROXY: "1", ...PATIENCE });
  admin = await test.make.user("Admin");
});
afterAll(() => test[Symbol.asyncDispose]());

const PASSWORD = "an excellent password";

let serial = 0;
/** A visitor with an address that nobody has used. */
const somebody = () => test.anonymous.with({ "x-forwarded-for": `203.0.113.${(serial += 1)}` });
const from = (user: TestUser): Client => somebody().as(user);

interface Outcome {
  status: number;
  reason: string;
  /** the account as REST shows it */
  user: { id?: number; name?: string; api_key?: string; csrf_token?: string | null };
  answer: Answer;
}

/** A flow by one of the APIs. */
interface Api {
  changePassword(client: Client, id: number, oldPassword: string, password: string): Promise<Outcome>;
  rotateApiKey(client: Client, id: number, password: string): Promise<Outcome>;
  close(client: Client, id: number, password: string): Promise<Outcome>;
  recover(client: Client, token: string, password: string): Promise<Outcome>;
}

const ofRest = (answer: Answer): Outcome => ({
  status: answer.status,
  reason: answer.json.reason,
  user: answer.json,
  answer,
});

const rest: Api = {
  changePassword: async (client, id, old_password, password) =>
    ofRest(await client.put(`/users/${id}/password.json`, { user: { old_password, password } })),
  rotateApiKey: async (client, id, password) =>
    ofRest(await client.put(`/users/${id}/api_key.json`, { user: { password } })),
  close: async (client, id, password) => ofRest(await client.delete(`/users/${id}.json`, { user: { password } })),
  recover: async (client, token, password) =>
    ofRest(await client.post("/users/recover.json", { user: { token, password } })),
};

async function mutate(client: Client, field: string, input: object, more = ""): Promise<Outcome> {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
  const document = `mutation($input: ${type}!) { ${field}(input: $input) { user { id name settings { apiKey } } ${more} } }`;
  const answer = await client.graphql(document, { input });
  const [error] = answer.json.errors ?? [];
  const { user = {}, csrfToken } = answer.json.data?.[field] ?? {};
  return {
    status: error?.extensions.status ?? 200,
    reason: error?.extensions.reason ?? "",
    user: { ...user, api_key: user.settings?.apiKey, csrf_token: csrfToken },
    answer,
  };
}

const graphql: Api = {
  changePassword: (client, id, oldPassword, password) =>
    mutate(client, "changePassword", { id, oldPassword, password }, "csrfToken"),
  rotateApiKey: (client, id, password) => mutate(client, "rotateApiKey", { id, password }, "csrfToken"),
  close: (client, id, password) => mutate(client, "closeAccount", { id, password }),
  recover: (client, token, password) => mutate(client, "recoverAccount", { token, password }),
};

const isIn = async (client: Client): Promise<boolean> => (await client.get("/profile.json")).status === 200;
const signsIn = async ({ name }: { name: string }, password: string): Promise<boolean> =>
  (await somebody().post("/session.json", { name, password })).status === 200;

/** Everything that a user can prove themselves by. */
async function proofsOf(user: TestUser) {
  const session = await signIn(somebody(), user);
  const hash = legacyHash(user.password, test.board.config.PASSWORD_SALT);
  const [, legacy] = /(user_name=.*)$/.exec(session.cookie) ?? [];
  return {
    session,
    work: async () => ({
      session: await isIn(session.client),
      cookies: await isIn(somebody().with({ cookie: String(legacy) })),
      key: await isIn(from(user)),
      hash: (await somebody().get("/profile.json", { login: user.name, password_hash: hash })).status === 200,
      password: await signsIn(user, user.password),
    }),
  };
}

const ALL = { session: true, cookies: true, key: true, hash: true, password: true };
const NONE = { session: false, cookies: false, key: false, hash: false, password: false };

const audited = (event: string, user: number | null) =>
  test.log.filter(({ audit, user: about }) => audit === event && about === user);

/** After a refusal nothing is changed. */
async function refused(flow: Promise<Outcome>): Promise<[number, string]> {
  const { status, reason } = await flow;
  return [status, reason];
}

describe.each([
  ["PUT /users/{id}/password.json", rest],
  ["changePassword", graphql],
])("%s", (_, api) => {
  it("sets the new password, and ends sessions, key, legacy hash and cookies", async () => {
    const user = await test.make.user();
    const { work } = await proofsOf(user);
    expect(await work()).toEqual(ALL);
    const { status, user: changed, answer } = await api.changePassword(from(user), user.id, user.password, PASSWORD);
    expect([status, changed.id, changed.csrf_token]).toEqual([200, user.id, null]);
    expect(await work()).toEqual(NONE);
    expect(await isIn(somebody().as({ name: user.name, apiKey: changed.api_key as string }))).toBe(true);
    expect(await signsIn(user, PASSWORD)).toBe(true);
    expect([answer.headers.get("cache-control"), answer.headers.getSetCookie()]).toEqual(["no-store", []]);
    expect(audited("password_changed", user.id)).toMatchObject([{ by: user.id, address: expect.any(String) }]);
    expect(JSON.stringify(test.log)).not.toMatch(new RegExp(`${PASSWORD}|password of ${user.name}|\\$2b\\$`));
  });

  it("keeps the calling browser signed in, with a new session", async () => {
    const user = await test.make.user();
    const [{ session }, other] = [await proofsOf(user), await signIn(somebody(), user)];
    const client = session.client.with({ "x-csrf-token": session.csrfToken });
    const { user: changed, answer } = await api.changePassword(client, user.id, user.password, PASSWORD);
    expect([await isIn(session.client), await isIn(other.client)]).toEqual([false, false]);
    const renewed = somebody().with({ cookie: cookieOf(answer) });
    expect(await isIn(renewed)).toBe(true);
    const write = { user: { per_page: 30 } };
    const csrf = { "x-csrf-token": String(changed.csrf_token) };
    expect((await renewed.with(csrf).put(`/users/${user.id}.json`, write)).status).toBe(200);
  });

  it("is refused for a wrong password, an invalid new one, and for others' accounts; nothing changes", async () => {
    const user = await test.make.user();
    const session = await signIn(somebody(), user);
    const before = await digestOf(test);
    const refusals = [
      await refused(api.changePassword(from(user), user.id, "wrong", PASSWORD)),
      await refused(api.changePassword(from(user), user.id, user.password, "short")),
      await refused(api.changePassword(from(user), user.id, user.password, "password1")),
      await refused(api.changePassword(from(admin), user.id, admin.password, PASSWORD)),
      await refused(api.changePassword(somebody(), user.id, user.password, PASSWORD)),
    ];
    expect(refusals).toEqual([
      [403, "authentication failed"],
      [420, "password is too short (at least 8 characters)"],
      [420, "password is one of the most common passwords"],
      [403, "access denied"],
      [403, "login required"],
    ]);
    expect(await digestOf(test)).toEqual(before);
    expect(audited("password_refused", user.id)).toMatchObject([{ by: user.id, reason: "authentication_failed" }]);
    expect([await isIn(session.client), await isIn(from(user))]).toEqual([true, true]);
  });

  it("is refused to a page of another site", async () => {
    const user = await test.make.user();
    const { client } = await signIn(somebody(), user);
    const page = client.with({ origin: "https://evil.example" });
    const { status, answer } = await api.changePassword(page, user.id, user.password, PASSWORD);
    expect([status === 200 ? answer.status : status, await signsIn(user, user.password)]).toEqual([403, true]);
  });

  it("is throttled like signing in", async () => {
    const user = await test.make.user();
    const client = from(user);
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1) {
      statuses.push((await api.changePassword(client, user.id, "wrong", PASSWORD)).status);
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 421]);
    expect(audited("password_refused", user.id).at(-1)).toMatchObject({ reason: "login_attempts" });
  });
});

describe.each([
  ["PUT /users/{id}/api_key.json", rest],
  ["rotateApiKey", graphql],
])("%s", (_, api) => {
  it("replaces the key; sessions and password stay valid", async () => {
    const user = await test.make.user();
    const { work } = await proofsOf(user);
    const { user: rotated, answer } = await api.rotateApiKey(from(user), user.id, user.password);
    expect(await work()).toEqual({ ...ALL, key: false, cookies: false });
    expect(rotated.api_key).toMatch(/^\$2b\$04\$.{53}$/);
    expect(await isIn(somebody().as({ name: user.name, apiKey: rotated.api_key as string }))).toBe(true);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(audited("api_key_rotated", user.id)).toMatchObject([{ by: user.id }]);
  });

  it("keeps the calling browser signed in, and others too", async () => {
    const user = await test.make.user();
    const [session, other] = [await signIn(somebody(), user), await signIn(somebody(), user)];
    const client = session.client.with({ "x-csrf-token": session.csrfToken });
    const { answer } = await api.rotateApiKey(client, user.id, user.password);
    expect(await isIn(somebody().with({ cookie: cookieOf(answer) }))).toBe(true);
    expect(await isIn(other.client)).toBe(true);
  });

  it("is refused for a wrong password and for others' accounts; nothing changes", async () => {
    const user = await test.make.user();
    const before = await digestOf(test);
    expect([
      await refused(api.rotateApiKey(from(user), user.id, "wrong")),
      await refused(api.rotateApiKey(from(admin), user.id, admin.password)),
    ]).toEqual([
      [403, "authentication failed"],
      [403, "access denied"],
    ]);
    expect(await digestOf(test)).toEqual(before);
  });
});

describe.each([
  ["DELETE /users/{id}.json", rest],
  ["closeAccount", graphql],
])("%s", (_, api) => {
  it("ends key, sessions and password, frees the name, hides the favorites, and keeps what was written", async () => {
    const user = await test.make.user("Contributor");
    const { id: postId } = await test.make.post("sea", {}, user);
    await user.client.post("/favorites.json", { post_id: postId });
    await user.client.put(`/users/${user.id}.json`, { user: { email: "a@example.org", blacklisted_tags: "sea" } });
    const { work } = await proofsOf(user);
    const { status, user: closed } = await api.close(from(user), user.id, user.password);
    expect([status, closed.name]).toEqual([200, `user_${user.id}~`]);
    expect(await work()).toEqual(NONE);
    const row = await test.board.database.user.findUniqueOrThrow({ where: { id: user.id } });
    expect(row).toMatchObject({ isDeleted: true, email: null, blacklistedTags: expect.stringMatching(/^spoilers/) });
    expect((await test.anonymous.get(`/posts/${postId}.json`)).json).toMatchObject({
      uploader_name: `user_${user.id}~`,
      fav_count: 1,
    });
    expect((await test.anonymous.get("/favorites.json", { search: { user_id: user.id } })).json).toEqual([]);
    expect(audited("account_closed", user.id)).toMatchObject([{ by: user.id, name: user.name }]);
    const again = await somebody().post("/users.json", { user: { name: user.name, password: PASSWORD } });
    expect(again.status).toBe(200);
  });

  it("signs the calling browser out", async () => {
    const user = await test.make.user();
    const session = await signIn(somebody(), user);
    const { answer } = await api.close(
      session.client.with({ "x-csrf-token": session.csrfToken }),
      user.id,
      user.password,
    );
    expect(answer.headers.getSetCookie()[0]).toMatch(/^session=;.*Expires=Thu, 01 Jan 1970/);
  });

  it("is refused for a wrong password, for others' accounts, and for the last Admin's; nothing changes", async () => {
    const user = await test.make.user();
    const before = await digestOf(test);
    expect([
      await refused(api.close(from(user), user.id, "wrong")),
      await refused(api.close(from(admin), user.id, admin.password)),
      await refused(api.close(from(admin), admin.id, admin.password)),
    ]).toEqual([
      [403, "authentication failed"],
      [403, "access denied"],
      [422, "the account of the last Admin can't be closed"],
    ]);
    expect(await digestOf(test)).toEqual(before);
  });

  it("is refused for the last Admin beside one who is banned", async () => {
    const { id } = await test.make.user("Admin");
    await test.board.database.user.update({ where: { id }, data: { isBanned: true } });
    expect((await refused(api.close(from(admin), admin.id, admin.password)))[0]).toBe(422);
  });
});

it("the request that closes an account writes nothing else in its name", async () => {
  const user = await test.make.user();
  const { json } = await from(user).graphql(
    `mutation($closing: CloseAccountInput!, $group: CreateFavoriteGroupInput!) {
      closeAccount(input: $closing) { user { id } } createFavoriteGroup(input: $group) { favoriteGroup { id } } }`,
    { closing: { password: user.password }, group: { name: "later" } },
  );
  expect(json.errors).toMatchObject([{ path: ["createFavoriteGroup"], extensions: { status: 403 } }]);
  const { database } = test.board;
  expect(await database.user.findUnique({ where: { id: user.id } })).toMatchObject({ isDeleted: true });
  expect(await database.favoriteGroup.count({ where: { creatorId: user.id } })).toBe(0);
});

it("of two Admins who close their accounts concurrently, one stays", async () => {
  await using small = await startBoard();
  const admins = [await small.make.user("Admin"), await small.make.user("Admin")];
  const answers = await Promise.all(
    admins.map(({ client, id, password }) => client.delete(`/users/${id}.json`, { user: { password } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
});

describe.each([
  ["POST /users/recover.json", rest],
  ["recoverAccount", graphql],
])("%s", (_, api) => {
  it("sets a new password with a token from the command line, once, and ends sessions and keys", async () => {
    const user = await test.make.user();
    const { work } = await proofsOf(user);
    const { token } = await test.board.accountAdmin.makeRecovery(user.name);
    const { status, user: recovered, answer } = await api.recover(somebody(), token, PASSWORD);
    expect([status, recovered.id, answer.headers.getSetCookie()]).toEqual([200, user.id, []]);
    expect([await work(), await signsIn(user, PASSWORD)]).toEqual([NONE, true]);
    expect(audited("account_recovered", user.id)).toMatchObject([{ by: null }]);
    expect(await refused(api.recover(somebody(), token, "another password"))).toEqual([
      403,
      "the recovery token is wrong, was used before or has expired",
    ]);
    expect(await signsIn(user, PASSWORD)).toBe(true);
    expect(JSON.stringify(test.log)).not.toContain(token);
  });

  it("is refused for a wrong, replaced or hour-old token, and for one from before a new password", async () => {
    const { database, accountAdmin } = test.board;
    const made = async () => {
      const user = await test.make.user();
      return { user, ...(await accountAdmin.makeRecovery(user.name)) };
    };
    const [replaced, old, changed] = [await made(), await made(), await made()];
    await accountAdmin.makeRecovery(replaced.user.name);
    await database.accountRecovery.update({ where: { userId: old.user.id }, data: { expiresAt: new Date() } });
    await accountAdmin.setPassword(changed.user.name, PASSWORD);
    const before = await digestOf(test);
    for (const token of ["", "wrong", replaced.token, old.token, changed.token]) {
      expect((await api.recover(somebody(), token, "another password")).status).toBe(403);
    }
    expect(await digestOf(test)).toEqual(before);
  });

  it("keeps the token if the new password is invalid", async () => {
    const user = await test.make.user();
    const { token } = await test.board.accountAdmin.makeRecovery(user.name);
    expect((await api.recover(somebody(), token, "short")).status).toBe(420);
    expect((await api.recover(somebody(), token, PASSWORD)).status).toBe(200);
  });

  it("is throttled by address", async () => {
    const client = somebody();
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1) statuses.push((await api.recover(client, "wrong", PASSWORD)).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 421]);
    expect((await api.recover(somebody(), "wrong", PASSWORD)).status).toBe(403);
  });

  it("allows one of several concurrent recoveries with one token", async () => {
    const user = await test.make.user();
    const { token } = await test.board.accountAdmin.makeRecovery(user.name);
    const answers = await Promise.all([1, 2, 3, 4].map((n) => api.recover(somebody(), token, `${PASSWORD} ${n}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
  });
});

describe("an account that two requests change at the same time", () => {
  /** What the requests are answered that wait for the user's row in this order. */
  async function inTurn<T>(user: TestUser, requests: (() => Promise<T>)[]): Promise<T[]> {
    const answers: Promise<T>[] = [];
    {
      await using held = await holdRow(test.board.databaseUrl, "users", user.id);
      for (const request of requests) {
        answers.push(request());
        await expect.poll(() => held.waiting(), { timeout: 10_000 }).toBe(answers.length);
      }
    }
    return Promise.all(answers);
  }

  it("is not closed with the password from before a new one", async () => {
    const user = await test.make.user();
    const answers = await inTurn(user, [
      () => rest.changePassword(from(user), user.id, user.password, PASSWORD),
      () => rest.close(from(user), user.id, user.password),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 403]);
    expect(await signsIn(user, PASSWORD)).toBe(true);
  });

  it("keeps no settings and no mail address once it is closed", async () => {
    const user = await test.make.user();
    const settings = { email: "mira@example.org", per_page: 30 };
    const answers = await inTurn(user, [
      () => rest.close(from(user), user.id, user.password),
      async () => ofRest(await from(user).put(`/users/${user.id}.json`, { user: settings })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 403]);
    expect(await test.board.database.user.findUnique({ where: { id: user.id } })).toMatchObject({
      email: null,
      perPage: 20,
      isDeleted: true,
    });
  });
});

it("a lost password can be recovered with REQUIRE_LOGIN", async () => {
  await using closed = await startBoard({ REQUIRE_LOGIN: "true" });
  const user = await closed.make.user();
  for (const api of [rest, graphql]) {
    const { token } = await closed.board.accountAdmin.makeRecovery(user.name);
    expect((await api.recover(closed.anonymous, token, PASSWORD)).status).toBe(200);
  }
});

it("signing in is recorded with account and address, and refusals without what was sent", async () => {
  const user = await test.make.user();
  const client = somebody();
  await client.post("/session.json", { name: user.name, password: user.password });
  await client.post("/session.json", { name: "a secret in the wrong field", password: "MARKED" });
  const [signedIn] = audited("sign_in", user.id);
  expect(signedIn).toMatchObject({ by: user.id, address: `203.0.113.${serial}`, req: { id: expect.any(String) } });
  const last = audited("password_refused", null).at(-1);
  expect(last).toMatchObject({ by: null, proof: "password", reason: "authentication_failed" });
  expect(JSON.stringify(test.log)).not.toMatch(/a secret in the wrong field|MARKED/);
});
