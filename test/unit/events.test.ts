/** Events of the board, as they come from the database. */
import net from "node:net";
import { expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { BoardEvents, notify } from "../../src/runtime/events/events.js";
import { createLog } from "../../src/runtime/telemetry/log.js";
import { startBoard } from "../support/board.js";

/** What others may send to the channel; the last has a type that is no text, and can't become one. */
const OTHERS = ["hello", "null", "", "5", '{"type":{"toString":0,"valueOf":0}}'];

it("events are still delivered after something else was sent to their channel", async () => {
  await using test = await startBoard();
  const { database, events } = test.board;
  const heard: unknown[] = [];
  events.addEventListener("post_created", (event) => heard.push((event as CustomEvent).detail));
  for (const payload of OTHERS) await database.query(sql`SELECT pg_notify('graphbooru_events', ${payload})::text`);
  await notify(database, { type: "post_created", id: 1, about: 1 });
  await expect.poll(() => heard, { timeout: 5_000 }).toEqual([{ type: "post_created", id: 1, about: 1 }]);
  expect(test.log.filter(({ msg }) => msg === "not an event of the board").map(({ payload }) => payload)).toEqual(
    OTHERS,
  );
});

it("events are received again after a proxy accepted a connection without ever responding", async () => {
  await using test = await startBoard();
  const connections: net.Socket[] = [];
  const proxy = net.createServer((socket) => void connections.push(socket)).listen(0, "127.0.0.1");
  await new Promise((resolve) => proxy.once("listening", resolve));
  const { port } = proxy.address() as net.AddressInfo;
  const events = new BoardEvents(
    `postgresql://board@127.0.0.1:${port}/board`,
    createLog("silent"),
    test.board.database,
  );
  try {
    await expect(events.listen()).rejects.toThrow("timeout expired");
    await expect.poll(() => connections.length).toBe(2);
  } finally {
    for (const connection of connections) connection.destroy();
    await events[Symbol.asyncDispose]();
    proxy.close();
  }
});
