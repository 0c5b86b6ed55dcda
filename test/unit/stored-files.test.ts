/** Files of a transaction that is retried, on a board with disk storage. */
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { jpeg } from "../support/pictures.js";
import { filesOf } from "../support/traces.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

const prepared = async (seed: number) => {
  const { ingest } = test.board;
  return ingest.prepare(await ingest.spool(Readable.from([await jpeg({ seed })])), null);
};

it("files stored by the first attempt are reused by the second", async () => {
  const { ingest, transact } = test.board;
  const media = await prepared(6100);
  const first = transact((db) => ingest.store(db, media).then(() => Promise.reject(new Error("rolled back"))));
  await expect(first).rejects.toThrow("rolled back");
  const { md5 } = await transact((db) => ingest.store(db, media));
  expect((await filesOf(test)).filter((file) => file.includes(md5))).toHaveLength(media.stored.length);
});

it("files removed before the second attempt are not referenced by it", async () => {
  const { ingest, transact, database } = test.board;
  const media = await prepared(6101);
  const { md5 } = media.received;
  const first = transact((db) => ingest.store(db, media).then(() => Promise.reject(new Error("rolled back"))));
  await expect(first).rejects.toThrow("rolled back");
  await ingest.removeUnnamed(md5, media.stored); // as `storage verify` does
  await expect(transact((db) => ingest.store(db, media))).rejects.toMatchObject({ status: 503 });
  await ingest.discard(media);
  expect(await database.mediaFile.findUnique({ where: { md5 } })).toBeNull();
});
