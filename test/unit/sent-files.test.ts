/** Files of a remote store whose readers leave before it answers. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import type { Exchange } from "../../src/http/exchange.js";
import { storedFiles } from "../../src/http/stored-files.js";
import { DiskStorage } from "../../src/storage/disk.js";
import { Folder } from "../support/folder.js";
import { get, RawClient } from "../support/raw-client.js";

it.each([
  ["the facts about it", 0],
  ["its first bytes", 1],
])("a file whose reader left while waiting for %s does not stay open", async (_, opened) => {
  await using folder = await Folder.make();
  await folder.write("a.png", "x".repeat(1_000_000));
  const disk = new DiskStorage(folder.path);
  const streams: Readable[] = [];
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  async function* later(stream: Readable) {
    await answered;
    yield* stream;
  }
  const store = {
    stat: (key: string) => (opened > 0 ? disk.stat(key) : answered.then(() => disk.stat(key))),
    open: (key: string) => {
      streams.push(Readable.from(later(disk.open(key))));
      return streams[0] as Readable;
    },
  };
  const http = createServer().listen(0, "127.0.0.1");
  await once(http, "listening");
  using client = await RawClient.connect(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  client.say(get("/"));
  const [request, response] = (await once(http, "request")) as [IncomingMessage, ServerResponse];
  const send = storedFiles(store, 1, "");
  const outcome = send({ request, response, endWork: () => undefined } as unknown as Exchange, "a.png").catch(
    (error: unknown) => error,
  );
  await expect.poll(() => streams.length).toBe(opened);
  client[Symbol.dispose]();
  await once(response, "close");
  answer();
  expect(await outcome).toMatchObject({ key: "overloaded" }); // no fault of the board's
  await expect.poll(() => streams.filter(({ closed }) => !closed)).toEqual([]);
  http.close();
});
