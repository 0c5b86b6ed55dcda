/** Temporary files of work that is interrupted while its file is still being opened. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { MediaIngest } from "../../src/resources/uploads/media-ingest.js";
import { DiskStorage } from "../../src/storage/disk.js";
import { Folder } from "../support/folder.js";

/** One that breaks off after so many turns of the event loop. */
const breaking = (turns: number): Readable => {
  const stream = new Readable({ read: () => undefined });
  const wait = (left: number): void =>
    void (left > 0 ? setImmediate(wait, left - 1) : stream.destroy(new Error("gone")));
  wait(turns);
  return stream;
};

describe("an upload that is interrupted at any moment", () => {
  it("leaves no file", async () => {
    await using folder = await Folder.make();
    await using storage = new DiskStorage(folder.path);
    const ingest = new MediaIngest({ storage, config: { MAX_UPLOAD_BYTES: 100 } } as never);
    for (let round = 0; round < 60; round += 1) {
      const spooling = Array.from({ length: 12 }, (_, turns) => ingest.spool(breaking(turns)));
      for (const { status } of await Promise.allSettled(spooling)) expect(status).toBe("rejected");
    }
    const names = await readdir(folder.path, { recursive: true, withFileTypes: true });
    expect(names.filter((entry) => entry.isFile()).map(({ name }) => path.basename(name))).toEqual([]);
  });
});
