/** Signing up, and what users see of their own account. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "../../src/runtime/auth/password.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

const signUp = (user: Params) => test.anonymous.post("/users.json", { user });
const count = () => test.board.database.user.count();

describe("POST /users.json", () => {
  it("creates a Member, returns the record in the envelope, and signs in", async () => {
    const { status, json, headers } = await signUp({ name: "New_Comer", password: "correct horse", level: 50 });
    expect(status).toBe(200);
    expect(json).toMatchObject({ success: true, reason: "", name: "New_Comer", level: 20, level_string: "Member" });
    expect(headers.get("location")).toBe(`/users/${json.id}`);
    const cookies = headers.getSetCookie().map((cookie) => cookie.split("=")[0]);
    expect(cookies).toEqual(["session", "user_name", "password_hash"]);
    const made = await test.board.database.user.findUniqueOrThrow({ where: { id: json.id as number } });
    expect([made.level, made.name, made.email]).toEqual([20, "New_Comer", null]);
    expect(made.passwordHash).toMatch(/^\$2b\$04\$.{53}$/);
  });

  it("returns no secret: neither the key nor the mail address", async () => {
    const { json, text } = await signUp({ name: "discreet", password: "a good one", email: "d@example.org" });
    expect(json.success).toBe(true);
    expect(text).not.toMatch(/\$2b\$|api_key|password|example\.org/);
  });

  it("starts a session of the new user", async () => {
    const { headers } = await signUp({ name: "straight_in", password: "a good one" });
    const cookie = headers.getSetCookie().map((each) => each.split(";")[0]);
    const { json } = await test.anonymous.with({ cookie: cookie.join("; ") }).get("/profile.json");
    expect(json).toMatchObject({ name: "straight_in", level: 20 });
  });

  it("accepts attributes outside the brackets, and returns XML", async () => {
    const { text } = await test.anonymous.post("/users.xml", { name: "bare_words", password: "a good one" });
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
  });

  it.each([
    ["Ärger_É", "ärger é", "ÄRGER_é"],
    ["ЖУК_2", "жук 2", "Жук_2"],
    ["ΣΟΦΟΣ", "σοφοσ", "Σοφοσ"],
  ])("users with names in any script can sign in: %s", async (name, typed, same) => {
    expect((await signUp({ name, password: "длинный пароль" })).status).toBe(200);
    const session = { name: typed, password: "длинный пароль" };
    const { status, json } = await test.anonymous.post("/session.json", session);
    expect([status, json.name]).toEqual([200, name]);
    expect((await signUp({ name: same, password: "другой пароль" })).status).toBe(423);
  });

  it("420 with all errors by field for an invalid record", async () => {
    const before = await count();
    const { status, json } = await signUp({
      name: "a b:c",
      password: "1234",
      password_confirmation: "12345",
      email: "nowhere",
    });
    expect(status).toBe(420);
    expect(json).toEqual({
      success: false,
      reason:
        "name is invalid, password is too short (at least 8 characters), password_confirmation does not match, email is invalid",
      message:
        "name is invalid, password is too short (at least 8 characters), password_confirmation does not match, email is invalid",
      errors: {
        name: ["is invalid"],
        password: ["is too short (at least 8 characters)"],
        password_confirmation: ["does not match"],
        email: ["is invalid"],
      },
    });
    expect(await count()).toBe(before);
  });

  it.each([
    ["x", "name is too short (at least 2 characters)"],
    ["x".repeat(101), "name is too long (at most 100 characters)"],
    ["Anonymous", "name is a reserved word"],
    ["_tail", "name is invalid"],
    ["a,b", "name is invalid"],
    ["wild*", "name is invalid"],
    ["nul\0nul", "name is invalid"],
    ["zero\u200bwidth", "name is invalid"],
  ])("420 for the name %j", async (name, reason) => {
    const { status, json, headers } = await signUp({ name, password: "a good one" });
    expect([status, json.reason, headers.getSetCookie()]).toEqual([420, reason, []]);
  });

  it.each([
    ["sesame!", "password is too short (at least 8 characters)"],
    ["🔑".repeat(7), "password is too short (at least 8 characters)"],
    ["x".repeat(1001), "password is too long (at most 1000 characters)"],
    ["password1", "password is one of the most common passwords"],
    ["QwertyUiop", "password is one of the most common passwords"],
  ])("420 for the password %j", async (password, reason) => {
    const before = await count();
    const { status, json } = await signUp({ name: "may_not_be", password });
    expect([status, json.reason]).toEqual([420, reason]);
    expect(await count()).toBe(before);
  });

  it("an account whose password is older than the rules can still sign in", async () => {
    const { id, name } = await test.make.user();
    const passwordHash = await hashPassword("12345", test.board.config);
    await test.board.database.user.update({ where: { id }, data: { passwordHash } });
    expect((await test.anonymous.post("/session.json", { name, password: "12345" })).status).toBe(200);
  });

  it("424 without a name or a password, naming it", async () => {
    const nameless = await signUp({ password: "a good one" });
    const open = await signUp({ name: "no_password" });
    expect([nameless.status, nameless.json.reason]).toEqual([424, "user[name] is required"]);
    expect([open.status, open.json.reason]).toEqual([424, "user[password] is required"]);
  });

  it("423 for a name taken in another case", async () => {
    await signUp({ name: "Taken_Name", password: "a good one" });
    const before = await count();
    const { status, json } = await signUp({ name: "tAKEN_nAME", password: "another one" });
    expect([status, json]).toEqual([
      423,
      {
        success: false,
        reason: "name is already taken",
        message: "name is already taken",
        errors: { name: ["is already taken"] },
      },
    ]);
    expect(await count()).toBe(before);
  });

  it("creates one account for concurrent sign-ups with the same name", async () => {
    const names = ["race_me", "RACE_me", "race_ME", "RACE_ME"];
    const answers = await Promise.all(names.map((name) => signUp({ name, password: "a good one" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 423, 423, 423]);
  });

  it("420 for a mail address over the limit; does not reveal that another account has it", async () => {
    await signUp({ name: "has_mail", password: "a good one", email: "one@example.org" });
    const taken = await signUp({ name: "wants_mail", password: "a good one", email: "one@example.org" });
    const long = await signUp({ name: "long_mail", password: "a good one", email: `${"x".repeat(9000)}@example.org` });
    expect([taken.status, taken.json.reason]).toEqual([200, ""]);
    expect([long.status, long.json.errors]).toEqual([420, { email: ["is too long (at most 254 characters)"] }]);
  });
});

describe("GET /profile.json", () => {
  it("403 for visitors", async () => {
    const { status, json } = await test.anonymous.get("/profile.json");
    expect([status, json.reason]).toEqual([403, "login required"]);
  });

  it("returns one's own account with counters, settings and the API key", async () => {
    const user = await test.make.user("Builder");
    const { status, json } = await user.client.get("/profile.json");
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id: user.id,
      name: user.name,
      level: 32,
      level_string: "Builder",
      comment_count: 0,
      api_key: user.apiKey,
      email: null,
      per_page: 20,
      time_zone: "UTC",
    });
    expect(json.password_hash).toBeUndefined();
  });

  it("a banned user still sees their own account", async () => {
    const user = await test.make.user();
    await test.board.database.user.update({ where: { id: user.id }, data: { isBanned: true } });
    const { status, json } = await user.client.get("/profile.json");
    expect([status, json.name]).toEqual([200, user.name]);
  });

  it("has the settings in XML with their types", async () => {
    const { id, client } = await test.make.user();
    const lastLoggedInAt = new Date("2026-01-02T03:04:05.678Z");
    await test.board.database.user.update({ where: { id }, data: { lastLoggedInAt } });
    const only = "comment_count,last_logged_in_at,email,enable_private_favorites";
    const { text } = await client.get("/profile.xml", { only });
    expect(text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><user><comment-count type="integer">0</comment-count><email nil="true"/>' +
        '<last-logged-in-at type="dateTime">2026-01-02T03:04:05+00:00</last-logged-in-at>' +
        '<enable-private-favorites type="boolean">false</enable-private-favorites></user>',
    );
  });

  it("selects fields by `only`, in XML too", async () => {
    const { client, name } = await test.make.user();
    const json = await client.get("/profile.json", { only: "name,level" });
    const xml = await client.get("/profile.xml", { only: "name,level" });
    expect(json.json).toEqual({ name, level: 20 });
    expect(xml.text).toBe(
      `<?xml version="1.0" encoding="UTF-8"?><user><name>${name}</name><level type="integer">20</level></user>`,
    );
  });
});

describe("sign-ups from one address", () => {
  it("counts one account for several sign-ups at once with one name", async () => {
    await using small = await startBoard({ ACCOUNTS_PER_HOUR: "4" });
    const next = async (name: string) =>
      (await small.anonymous.post("/users.json", { user: { name, password: "a long password" } })).status;
    const atOnce = await Promise.all(Array.from({ length: 4 }, () => next("twin")));
    expect(atOnce.toSorted((a, b) => a - b)).toEqual([200, 423, 423, 423]);
    const later = [];
    for (const name of ["second", "third", "fourth", "fifth"]) later.push(await next(name));
    expect(later).toEqual([200, 200, 200, 421]);
  });

  it("421 with Retry-After over ACCOUNTS_PER_HOUR, not counting refusals", async () => {
    await using small = await startBoard({ ACCOUNTS_PER_HOUR: "2" });
    const next = (name: string, password = "a good one") =>
      small.anonymous.post("/users.json", { user: { name, password } });
    const statuses = [];
    for (const name of ["first", "x", "FIRST", "second"]) statuses.push((await next(name)).status);
    const refused = await next("third");
    expect(statuses).toEqual([200, 420, 423, 200]);
    expect([refused.status, refused.json.reason]).toEqual([
      421,
      "too many accounts created from this address; try again later",
    ]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3500);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(await small.board.database.user.count()).toBe(2);
  });

  it("are counted together for the addresses of one /64 of IPv6", async () => {
    await using small = await startBoard({ ACCOUNTS_PER_HOUR: "1", TRUST_PROXY: "1" });
    const from = async (address: string, name: string) => {
      const client = small.anonymous.with({ "x-forwarded-for": address });
      return (await client.post("/users.json", { user: { name, password: "a good one" } })).status;
    };
    const statuses = [];
    for (const address of ["2001:db8:0:1::1", "2001:db8:0:1:2::2", "2001:db8:0:2::1"])
      statuses.push(await from(address, `user_${statuses.length}`));
    expect(statuses).toEqual([200, 421, 200]);
  });
});
