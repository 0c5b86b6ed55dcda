/** The table of sessions and its service. Ages are given to the rows, not waited for. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import type { Viewer } from "../../src/runtime/auth/viewer.js";
import { ANONYMOUS } from "../../src/runtime/auth/viewer.js";
import { startJobs } from "../../src/runtime/jobs/queue.js";
import { tasks } from "../../src/operations/tasks.js";
import { endSessions, type NewSession } from "../../src/resources/session/session.service.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";

const FIREFOX = { address: "192.0.2.7", userAgent: "Firefox" };
const CHROME = { address: "2001:db8::7", userAgent: "Chrome" };
const DAY = 86_400_000;

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

const begin = ({ id, apiKey }: TestUser, client = FIREFOX): Promise<NewSession> =>
  test.board.sessions.create({ id, passwordHash: apiKey }, client);
const userOf = async ({ token }: NewSession) => (await test.board.sessions.use(token, FIREFOX))?.id ?? null;
const age = ({ id }: NewSession, milliseconds: number) =>
  test.board.database.userSession.update({ where: { id }, data: { lastUsedAt: new Date(Date.now() - milliseconds) } });
const viewerOf = ({ id, name, level }: TestUser): Viewer => ({ id, name, level, isBanned: false, proof: "basic" });
const list = async (user: TestUser) => (await test.board.sessions.list(viewerOf(user), { first: 200 })).rows;

describe("a session", () => {
  it("is found by its token, of which only the SHA-256 is stored", async () => {
    const user = await test.make.user();
    const session = await begin(user);
    expect(session.token).toMatch(/^[\w-]{43}$/);
    expect(await test.board.sessions.use(session.token, FIREFOX)).toEqual({
      sessionId: session.id,
      id: user.id,
      name: user.name,
      level: 20,
      isBanned: false,
      createdAt: expect.any(Date),
    });
    const [row] = await test.board.database.query<{ text: string; isHash: boolean }>(sql`
      SELECT t::text AS text, token_hash = sha256(${Buffer.from(session.token)}) AS "isHash"
        FROM user_sessions t WHERE id = ${session.id}`);
    expect(row?.isHash).toBe(true);
    expect(row?.text).not.toContain(session.token);
  });

  it.each(["", "x", "A".repeat(43), "A".repeat(100_000), "\0".repeat(43)])(
    "is not found by another token",
    async (token) => {
      expect(await test.board.sessions.use(token, FIREFOX)).toBeNull();
    },
  );

  it("expires 30 days after its last use", async () => {
    const user = await test.make.user();
    const session = await begin(user);
    await age(session, 30 * DAY - 60_000);
    expect(await userOf(session)).toBe(user.id);
    await age(session, 30 * DAY + 60_000);
    expect([await userOf(session), await list(user)]).toEqual([null, []]);
  });

  it("stores its last use once an hour, with address and browser", async () => {
    const user = await test.make.user();
    const session = await begin(user);
    const use = () => test.board.sessions.use(session.token, CHROME);
    await use();
    expect(await list(user)).toMatchObject([{ ...FIREFOX }]);
    const { lastUsedAt } = await age(session, 3_601_000);
    await use();
    await expect.poll(() => list(user)).toMatchObject([{ ...CHROME }]);
    const [noted] = await list(user);
    expect(Number(noted?.lastUsedAt)).toBeGreaterThan(Number(lastUsedAt));
    const almost = await age(session, 3_500_000);
    await use();
    expect((await list(user))[0]?.lastUsedAt).toEqual(almost.lastUsedAt);
  });

  it("keeps 300 characters of the User-Agent", async () => {
    const user = await test.make.user();
    await begin(user, { ...FIREFOX, userAgent: "é".repeat(10_000) });
    expect((await list(user))[0]?.userAgent).toBe("é".repeat(300));
  });

  it("is invalid when the account was closed", async () => {
    const user = await test.make.user();
    const session = await begin(user);
    await test.board.database.user.update({ where: { id: user.id }, data: { isDeleted: true } });
    expect(await userOf(session)).toBeNull();
    await expect(begin(user)).rejects.toThrow("authentication failed");
  });

  it("is not created with a password that has changed meanwhile", async () => {
    const [user, other] = [await test.make.user(), await test.make.user()];
    await test.board.database.user.update({ where: { id: user.id }, data: { passwordHash: other.apiKey } });
    await expect(begin(user)).rejects.toThrow("authentication failed");
    expect(await list(user)).toEqual([]);
  });
});

describe("the sessions of a user", () => {
  it("are listed newest first, only to that user", async () => {
    const [user, other] = [await test.make.user(), await test.make.user()];
    const [first, second] = [await begin(user), await begin(user, CHROME)];
    await begin(other);
    expect(await list(user)).toMatchObject([
      { id: second.id, userId: user.id, ...CHROME },
      { id: first.id, userId: user.id, ...FIREFOX },
    ]);
    await expect(test.board.sessions.list(ANONYMOUS, {})).rejects.toThrow("login required");
  });

  it("can be ended one by one, by their own user", async () => {
    const [user, other] = [await test.make.user(), await test.make.user()];
    const [first, second] = [await begin(user), await begin(user)];
    expect(await test.board.sessions.end(other.id, first.id)).toBe(false);
    expect(await test.board.sessions.end(user.id, first.id)).toBe(true);
    expect(await test.board.sessions.end(user.id, first.id)).toBe(false);
    expect([await userOf(first), await userOf(second)]).toEqual([null, user.id]);
  });

  it("can be ended all at once, or all but one", async () => {
    const [user, other] = [await test.make.user(), await test.make.user()];
    const [first, second, third, others] = [
      await begin(user),
      await begin(user),
      await begin(user),
      await begin(other),
    ];
    expect(await test.board.transact((db) => endSessions(db, user.id, second.id))).toBe(2);
    expect([await userOf(first), await userOf(second), await userOf(third)]).toEqual([null, user.id, null]);
    expect(await test.board.transact((db) => endSessions(db, user.id))).toBe(1);
    expect([await userOf(second), await userOf(others)]).toEqual([null, other.id]);
  });

  it("survive if the transaction that ended them fails", async () => {
    const user = await test.make.user();
    const session = await begin(user);
    const failing = test.board.transact(async (db) => {
      expect(await endSessions(db, user.id)).toBe(1);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await userOf(session)).toBe(user.id);
  });

  it("are at most a hundred: the next sign-in ends the least recently used", async () => {
    const user = await test.make.user();
    const all: NewSession[] = [];
    for (let count = 0; count < 100; count += 1) all.push(await begin(user));
    const [oldest, stale] = all as [NewSession, NewSession];
    await age(stale, DAY);
    await begin(user);
    expect([(await list(user)).length, await userOf(stale), await userOf(oldest)]).toEqual([100, null, user.id]);
  });
});

describe("the job sweep_sessions", () => {
  it("removes expired sessions, and no others", async () => {
    const user = await test.make.user();
    const [ended, alive] = [await begin(user), await begin(user)];
    await age(ended, 31 * DAY);
    await using _worker = await startJobs(test.board.databaseUrl, tasks(test.board), test.board.log);
    await test.board.database.query(sql`SELECT FROM graphile_worker.add_job('sweep_sessions')`);
    const left = () => test.board.database.userSession.findMany({ where: { userId: user.id }, select: { id: true } });
    await expect.poll(left, { timeout: 20_000 }).toEqual([{ id: alive.id }]);
  });
});
