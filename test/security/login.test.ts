/** Passwords can't be guessed, and attempts don't reveal who has an account. */
import { createHmac } from "node:crypto";
import { stat } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sql } from "../../src/database/client.js";
import { loadSecret } from "../../src/runtime/auth/secret.js";
import { legacyHash } from "../../src/runtime/auth/password.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { replacePassword, signIn } from "../support/session.js";
import { readProjectFile } from "../support/project.js";
import { nodesOf, sourceFiles, type SyntaxNode } from "../support/sources.js";

const LIMIT = 5;
const SIGN_IN = "mutation($input: CreateSessionInput!) { createSession(input: $input) { csrfToken } }";

let test: TestBoard;
let victim: TestUser;
beforeAll(async () => {
  test = await startBoard({ LOGIN_ATTEMPTS_PER_HOUR: String(LIMIT), TRUST_PROXY: "1" });
  victim = await test.make.user();
});
afterAll(() => test[Symbol.asyncDispose]());

let serial = 0;
/** A visitor with an address that nobody has used. */
const somebody = () => test.anonymous.with({ "x-forwarded-for": `198.51.100.${(serial += 1)}` });

const hashOf = (password: string): string => legacyHash(password, test.board.config.PASSWORD_SALT);

/** Every way to prove oneself by a password. */
const WAYS: [string, (name: string, password: string, client?: ReturnType<typeof somebody>) => Promise<Answer>][] = [
  ["POST /session", (name, password, client = somebody()) => client.post("/session.json", { name, password })],
  ["createSession", (name, password, client = somebody()) => client.graphql(SIGN_IN, { input: { name, password } })],
  [
    "password_hash",
    (name, password, client = somebody()) =>
      client.get("/posts.json", { login: name, password_hash: hashOf(password) }),
  ],
];

/** The status of REST, or the one that GraphQL tells. */
const statusOf = ({ status, json }: Answer): number => json?.errors?.[0]?.extensions?.status ?? status;

describe.each(WAYS)("guesses by %s", (_, attempt) => {
  const many = Array.from({ length: 4 * LIMIT }, (__, index) => `guess ${index}`);
  const refused = (statuses: number[]) => ({
    tried: statuses.filter((status) => status === 403).length,
    throttled: statuses.filter((status) => status === 421).length,
  });
  const expected = { tried: LIMIT, throttled: many.length - LIMIT };

  it("are limited for one name from many addresses, concurrent ones too", async () => {
    const { name } = await test.make.user();
    const answers = await Promise.all(many.map((password) => attempt(name, password)));
    expect(refused(answers.map(statusOf))).toEqual(expected);
  });

  it("are limited for many names from one address", async () => {
    const client = somebody();
    const answers = await Promise.all(many.map((word, index) => attempt(`nobody_${index}`, word, client)));
    expect(refused(answers.map(statusOf))).toEqual(expected);
  });

  it("are limited in the same way for unknown names", async () => {
    const tell = async (name: string) => {
      const outcomes = [];
      for (const password of many.slice(0, LIMIT + 2)) {
        const { status, text, headers } = await attempt(name, password);
        const said = text.replace(/"retryAfter":3[56]\d\d\b/, "");
        outcomes.push([status, said, Number(headers.get("retry-after")) > 3000]);
      }
      return outcomes;
    };
    expect(await tell(`unknown_${(serial += 1)}`)).toEqual(await tell((await test.make.user()).name));
  });

  it("don't count the right password, however often it is used concurrently", async () => {
    const { name, password } = await test.make.user();
    const client = somebody();
    const answers = await Promise.all(Array.from({ length: 4 * LIMIT }, () => attempt(name, password, client)));
    expect(answers.map(statusOf)).toEqual(answers.map(() => 200));
  });
});

describe("an address that has signed in to an account before", () => {
  const byPassword = (client: ReturnType<typeof somebody>, name: string, password: string) =>
    client.post("/session.json", { name, password }).then(({ status }) => status);

  /** A user with an address of their own, whose name strangers have guessed at until it is throttled. */
  async function besieged() {
    const [user, home] = [await test.make.user(), somebody()];
    expect(await byPassword(home, user.name, user.password)).toBe(200);
    await Promise.all(Array.from({ length: LIMIT }, () => byPassword(somebody(), user.name, "guess")));
    expect(await byPassword(somebody(), user.name, user.password)).toBe(421);
    return { ...user, home };
  }

  it.each(WAYS)("lets its user in by %s while others guess; new addresses don't", async (_, attempt) => {
    const { name, password, home } = await besieged();
    expect(statusOf(await attempt(name, password, home))).toBe(200);
    expect(statusOf(await attempt(name, password))).toBe(421);
  });

  it("has its own limit of wrong passwords, separate from that of others and of other names", async () => {
    const { name, password, home } = await besieged();
    const statuses = [];
    for (let tries = 0; tries <= LIMIT; tries += 1) statuses.push(await byPassword(home, name, "guess"));
    expect(statuses).toEqual([...Array.from({ length: LIMIT }, () => 403), 421]);
    expect(await byPassword(home, name, password)).toBe(421);
    const other = await test.make.user();
    expect(await byPassword(home, other.name, other.password)).toBe(200);
  });

  it("has a limit separate from those of the account's other addresses", async () => {
    const [{ name, password }, home, away] = [await test.make.user(), somebody(), somebody()];
    for (const client of [home, away]) expect(await byPassword(client, name, password)).toBe(200);
    for (let tries = 0; tries < LIMIT; tries += 1) await byPassword(away, name, "guess");
    expect([await byPassword(away, name, password), await byPassword(home, name, password)]).toEqual([421, 200]);
  });

  it("is not locked out by guesses at other names from the same address", async () => {
    const { name, password, home } = await besieged();
    for (let tries = 0; tries < LIMIT; tries += 1) await byPassword(home, `nobody_${(serial += 1)}`, "guess");
    expect(await byPassword(home, name, password)).toBe(200);
  });

  it("is known on when the account is renamed", async () => {
    const { name, password, home } = await besieged();
    await test.board.accountAdmin.rename(name, `${name}_renamed`);
    await Promise.all(Array.from({ length: LIMIT }, () => byPassword(somebody(), `${name}_renamed`, "guess")));
    expect(await byPassword(somebody(), `${name}_renamed`, password)).toBe(421);
    expect(await byPassword(home, `${name}_renamed`, password)).toBe(200);
  });

  it("is known by the digest of an earlier version, which had the account's name in place of its number", async () => {
    const address = `198.51.100.${serial + 1}`; // of the next visitor
    const { id, name, password, home } = await besieged();
    const text = `known address\0${name}\0${address}`;
    const digest = createHmac("sha256", test.board.secret).update(text).digest();
    await test.board.database.knownAddress.updateMany({ where: { userId: id }, data: { digest } });
    expect(await byPassword(home, name, password)).toBe(200);
    expect(await byPassword(somebody(), name, password)).toBe(421);
  });

  it("is forgotten after 90 days, and after a new password", async () => {
    const [old, changed] = [await besieged(), await besieged()];
    const then = new Date(Date.now() - 90 * 86_400_000 - 1000);
    const { database, accountAdmin, knownAddresses } = test.board;
    await database.knownAddress.updateMany({ where: { userId: old.id }, data: { lastUsedAt: then } });
    await accountAdmin.setPassword(changed.name, "an excellent password");
    expect(await byPassword(old.home, old.name, old.password)).toBe(421);
    expect(await byPassword(changed.home, changed.name, "an excellent password")).toBe(421);
    expect(await knownAddresses.sweep()).toBe(1);
  });

  it("is stored as a keyed hash that differs by account", async () => {
    const [home, one, two] = [somebody(), await test.make.user(), await test.make.user()];
    for (const { name, password } of [one, two]) await byPassword(home, name, password);
    const rows = await test.board.database.knownAddress.findMany({ where: { userId: { in: [one.id, two.id] } } });
    expect(new Set(rows.map(({ digest }) => Buffer.from(digest).toString("hex"))).size).toBe(2);
    expect(rows.map(({ digest }) => digest.length)).toEqual([32, 32]);
  });

  it("is one of the newest 100 of the account", async () => {
    const user = await test.make.user();
    const { database, knownAddresses } = test.board;
    for (let host = 0; host < 103; host += 1) await knownAddresses.note(user, `192.0.2.${host}`);
    expect(await database.knownAddress.count({ where: { userId: user.id } })).toBe(100);
    expect((await knownAddresses.look(user.name, "192.0.2.102")).isKnown).toBe(true); // the newest
  });
});

describe("signing up", () => {
  it("does not reveal that somebody has the same mail address", async () => {
    const signUp = (name: string, email: string) =>
      somebody().post("/users.json", { user: { name, password: "a good one", email } });
    await signUp("has_mail", "known@example.org");
    const [taken, free] = [
      await signUp("stranger_a", "known@example.org"),
      await signUp("stranger_b", "other@example.org"),
    ];
    const shape = ({ status, json }: Answer) => [
      status,
      Object.keys(json as object),
      (json as { reason: string }).reason,
    ];
    expect(shape(taken)).toEqual(shape(free));
    expect(taken.status).toBe(200);
  });
});

describe("the events of a connection that was opened with a password_hash", () => {
  it("hash nothing, however many come after its hash is no longer cached", async () => {
    const user = await test.make.user();
    const secret = hashOf(user.password);
    const [credentials, caller] = [
      { proof: "password_hash", name: user.name, secret } as const,
      { address: "192.0.2.1" },
    ];
    const { authenticator } = test.board;
    await authenticator.authenticate(credentials, caller);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 600_000 });
    const renewed = await Promise.all(Array.from({ length: 50 }, () => authenticator.renew(credentials, caller)));
    vi.useRealTimers();
    expect(new Set(renewed.map((viewer) => viewer?.id))).toEqual(new Set([user.id]));
    const { passwordHash } = await test.board.users.create({ name: `other_${(serial += 1)}`, password: "another one" });
    await replacePassword(test, user.id, passwordHash);
    expect(await authenticator.renew(credentials, caller)).toBeNull();
  });
});

describe("a changed password", () => {
  it("ends the session, the key, and the cached legacy hash", async () => {
    const user = await test.make.user();
    const { client } = await signIn(somebody(), user);
    const old = { login: user.name, password_hash: hashOf(user.password) };
    const whoIs = async () => [
      (await client.get("/profile.json")).status,
      (await user.client.get("/profile.json")).status,
      (await somebody().get("/profile.json", old)).status,
    ];
    expect(await whoIs()).toEqual([200, 200, 200]);
    const { passwordHash } = await test.board.users.create({ name: `other_${(serial += 1)}`, password: "another one" });
    await replacePassword(test, user.id, passwordHash);
    expect(await whoIs()).toEqual([403, 403, 403]);
  });
});

describe("secrets", () => {
  it("are compared in constant time, never by an operator", () => {
    const NAMES = /^(passwordHash|password_hash|secret|token|csrfToken|apiKey|api_key|signature)$/;
    const nameOf = (side: unknown): string => {
      const node = side as SyntaxNode & { name?: string; property?: { name?: string } };
      return node.name ?? node.property?.name ?? "";
    };
    const found = sourceFiles.flatMap((file) =>
      nodesOf(file)
        .filter(({ type, operator }) => type === "BinaryExpression" && /^[=!]==?$/.test(String(operator)))
        .filter(({ left, right }) => [left, right].some((side) => NAMES.test(nameOf(side))))
        .filter(({ left, right }) => ![left, right].some((side) => (side as SyntaxNode).type === "Literal"))
        .map(({ left, right }) => `${file}: ${nameOf(left)}, ${nameOf(right)}`),
    );
    expect(found).toEqual([]);
    expect(readProjectFile("src/runtime/auth/password.ts")).toContain("timingSafeEqual(digest(given), digest(secret))");
  });

  it("the cookie key is created at the first start and stored in DATA_DIR, readable only by its owner", async () => {
    const { config, secret } = test.board;
    const file = path.join(config.dataDir, "secret");
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");
    expect(await loadSecret(config)).toBe(secret);
    await using other = await startBoard();
    expect(other.board.secret).not.toBe(secret);
  });

  it("are not logged when a statement that contains them fails", async () => {
    await using broken = await startBoard();
    const user = await broken.make.user();
    const { database } = broken.board;
    await database.execute(sql`ALTER TABLE users RENAME COLUMN time_zone TO renamed`);
    await database.execute(sql`ALTER TABLE users ADD CONSTRAINT never CHECK (last_logged_in_at IS NULL)`);
    const account = { name: "marked_name", password: "MARKED-PASSWORD", email: "MARKED@example.org" };
    const answers = [
      await broken.anonymous.post("/users.json", { user: account }),
      await broken.anonymous.post("/session.json", { name: user.name, password: user.password }),
      await user.client.get("/profile.json"),
      await user.client.graphql("{ viewer { settings { apiKey } } }"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 200, 200]); // the settings alone are left out
    const text = JSON.stringify([broken.log, answers]);
    for (const secret of [user.apiKey, user.password, "MARKED-PASSWORD", "$2b$"]) expect(text).not.toContain(secret);
    expect(broken.log.filter(({ err }) => err).length).toBeGreaterThanOrEqual(3);
  });

  it("API keys are shown only to their owner, not even to Admins", async () => {
    const admin = await test.make.user("Admin");
    const query = `{ user(id: ${victim.id}) { name settings { apiKey email } } }`;
    expect((await admin.client.graphql(query)).json.data).toEqual({ user: { name: victim.name, settings: null } });
    expect((await victim.client.graphql(query)).json.data.user.settings.apiKey).toBe(victim.apiKey);
  });
});
