/** Prisma and SQL statements share one transaction, which ends for both at once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Db, sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
}, 60_000);
afterAll(() => test[Symbol.asyncDispose]());

const nameOf = async (db: Db, id: number) =>
  (await db.query<{ name: string }>(sql`SELECT name FROM tags WHERE id = ${id}`))[0]?.name;
const rename = (db: Db, id: number, name: string) => db.execute(sql`UPDATE tags SET name = ${name} WHERE id = ${id}`);

describe("a transaction", () => {
  it("is shared by Prisma and statements: each sees the other's writes, and nobody else does", async () => {
    const { database, transact } = test.board;
    const id = await transact(async (db) => {
      const tag = await db.tag.create({ data: { name: "written_by_prisma" } });
      expect(await nameOf(db, tag.id)).toBe("written_by_prisma");
      expect(await rename(db, tag.id, "renamed")).toBe(1);
      expect(await db.tag.findUnique({ where: { id: tag.id } })).toMatchObject({ name: "renamed" });
      expect(await nameOf(database, tag.id)).toBeUndefined();
      return tag.id;
    });
    expect(await nameOf(database, id)).toBe("renamed");
  });

  it("that fails rolls both back", async () => {
    const { database, transact } = test.board;
    const failing = transact(async (db) => {
      const { id } = await db.tag.create({ data: { name: "taken_back" } });
      await rename(db, id, "taken_back_as_well");
      await db.query(sql`SELECT 1 / 0`);
    });
    await expect(failing).rejects.toMatchObject({ code: "22012" });
    expect(await database.tag.count({ where: { name: { startsWith: "taken_back" } } })).toBe(0);
  });

  it("that has ended runs no more statements, not even ones that were not awaited", async () => {
    const { database, transact } = test.board;
    const { id } = await database.tag.create({ data: { name: "untouched" } });
    let late: Promise<unknown> = Promise.resolve();
    let kept: Db | undefined;
    const failing = transact((db) => {
      kept = db;
      const failed = db.query(sql`SELECT 1 / 0`);
      late = failed.catch(() => undefined).then(() => rename(db, id, "touched"));
      late.catch(() => undefined);
      return failed;
    });
    await expect(failing).rejects.toMatchObject({ code: "22012" });
    await expect(late).rejects.toMatchObject({ code: "P2028" });
    await expect(rename(kept as Db, id, "touched")).rejects.toMatchObject({ code: "P2028" });
    expect(await nameOf(database, id)).toBe("untouched");
  });

  it("within another one is a separate transaction", async () => {
    const { database, transact } = test.board;
    const { id } = await database.tag.create({ data: { name: "outer" } });
    const failing = transact(async (db) => {
      await transact((inner) => inner.execute(sql`INSERT INTO tags (name) VALUES ('inner')`));
      await rename(db, id, "never");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await nameOf(database, id)).toBe("outer");
    expect(await database.tag.count({ where: { name: "inner" } })).toBe(1);
  });
});
