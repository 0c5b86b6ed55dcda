/** Database errors are classified by their codes, not by their texts, which may quote users' input. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql, type Transaction } from "../../src/database/client.js";
import { toBoardError } from "../../src/database/faults.js";
import { failure, invalid } from "../../src/errors.js";
import { startBoard, type TestBoard } from "../support/board.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
}, 60_000);
afterAll(() => test[Symbol.asyncDispose]());

/** Its details quote the row, with the name: no tag may have a space in it. */
const refusal = (name: string): Promise<unknown> =>
  test.board.database.tag.create({ data: { name } }).catch((error: unknown) => error);

describe("a process that the system can't start", () => {
  it.each(["ENOMEM", "EAGAIN", "EMFILE", "ENFILE"])("for %s is a 503", (code) => {
    const error = Object.assign(new Error(`spawn ${code}`), { code, syscall: "spawn" });
    expect(toBoardError(error)).toMatchObject({ key: "overloaded", status: 503 });
  });
});

describe("a database", () => {
  it("that takes no writes, as a standby after a failover, is a 503", async () => {
    const writes = [
      (db: Transaction) => db.execute(sql`INSERT INTO tags (name) VALUES ('unwritten')`),
      (db: Transaction) => db.tag.create({ data: { name: "unwritten" } }),
    ];
    for (const write of writes) {
      const failing = test.board.transact(async (db) => {
        await db.execute(sql`SET TRANSACTION READ ONLY`);
        await write(db);
      });
      const error: unknown = await failing.catch((thrown: unknown) => thrown);
      expect(toBoardError(error)).toMatchObject({ key: "overloaded", status: 503 });
    }
  });

  it.each(["53100", "53200"])(
    "without disk or memory (%s) is a 503, whatever the language of its messages",
    async (code) => {
      const failing = test.board.pool.query(`DO $$ BEGIN RAISE 'kein Platz' USING ERRCODE = '${code}'; END $$`);
      const error: unknown = await failing.catch((thrown: unknown) => thrown);
      expect(toBoardError(error)).toMatchObject({ key: "overloaded", status: 503 });
    },
  );
});

describe("a refusal that names a limit", () => {
  it("has the noun in the singular for 1", () => {
    expect(failure("too_many_tags", { limit: 1 }).reason).toBe("a search may have at most 1 term");
    expect(failure("too_many_tags", { limit: 2 }).reason).toBe("a search may have at most 2 terms");
    expect(invalid("names", "too_many", { limit: 1 }).reason).toBe("names has more than 1 entry");
    expect(invalid("names", "too_many", { limit: 2 }).reason).toBe("names has more than 2 entries");
  });
});

describe("the refusal of a row", () => {
  it.each(["ECONNREFUSED x", "57014 x", "40001 x", "23505 x", "08006 x"])("that quotes %s is a 420", async (name) => {
    const error = await refusal(name);
    expect(JSON.stringify(error)).toContain(name);
    expect(toBoardError(error)).toMatchObject({ key: "invalid_record", status: 420 });
  });

  it.each(["40P01 x", "0A000 x"])("that quotes %s is not retried", async (name) => {
    let attempts = 0;
    const failing = test.board.transact((db) => {
      attempts += 1;
      return db.tag.create({ data: { name } });
    });
    await expect(failing).rejects.toThrow("tags_name_check");
    expect(attempts).toBe(1);
  });
});
