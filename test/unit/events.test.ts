/** Events of the board, as they come from the database. */
import { expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { notify } from "../../src/runtime/events/events.js";
import { startBoard } from "../support/board.js";

it("are delivered also after something else was sent to their channel", async () => {
  await using test = await startBoard();
  const { database, events } = test.board;
  const heard: unknown[] = [];
  events.addEventListener("post_created", (event) => heard.push((event as CustomEvent).detail));
  for (const payload of ["hello", "null", ""])
    await database.query(sql`SELECT pg_notify('graphbooru_events', ${payload})::text`);
  await notify(database, { type: "post_created", id: 1, about: 1 });
  await expect.poll(() => heard, { timeout: 5_000 }).toEqual([{ type: "post_created", id: 1, about: 1 }]);
  expect(test.log.filter(({ msg }) => msg === "not an event of the board").map(({ payload }) => payload)).toEqual([
    "hello",
    "null",
    "",
  ]);
});
