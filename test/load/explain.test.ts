import { describe, it, beforeAll, afterAll } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { fillTables } from "../support/fill.js";
describe("x", () => {
  it("fills", async () => {
    const test = await startBoard();
    const t = Date.now();
    try {
      await fillTables(test.board.config.databaseUrl ?? "", 200_000);
    } finally {
      await test[Symbol.asyncDispose]();
    }
    console.log("FILL", Date.now() - t);
  }, 200_000);
});
