/** Files of a remote store whose readers disconnect before it responds. */
import { once } from "node:events";
import { createServer, type IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
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

it("a file is not opened if its reader is refused because too many wait for the store", async () => {
  const opened: Readable[] = [];
  const open = () => {
    opened.push(new Readable({ read: () => undefined }));
    return opened.at(-1) as Readable;
  };
  // the second request arrives at any step of the first one, whose facts have just come
  for (let steps = 0; steps < 10; steps += 1) {
    const send = storedFiles({ stat: () => Promise.resolve({ size: 9, mtime: new Date(0) }), open }, 1, "");
    const ask = () => {
      const request = { headers: {}, method: "GET" } as IncomingMessage;
      const response = new ServerResponse(request);
      const sent = send({ request, response, endWork: () => undefined } as unknown as Exchange, "a.png");
      const outcome = sent.catch((error: unknown) => error);
      return { response, outcome };
    };
    opened.length = 0;
    const first = ask();
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    const second = ask();
    await setImmediate();
    expect(opened).toHaveLength(1);
    for (const { response } of [first, second]) response.emit("close");
    expect((await Promise.all([first.outcome, second.outcome])).map(keyOf)).toEqual(["overloaded", "overloaded"]);
  }
});

it.each([
  ["less", 5],
  ["more", 20_000],
])("a file of which the store sends %s than it announced is broken off there, with its connection", async (_, size) => {
  const stat = () => Promise.resolve({ size: 10, mtime: new Date(0) });
  const send = storedFiles(
    { stat, open: () => Readable.from([Buffer.alloc(5, "x"), Buffer.alloc(size - 5, "y")]) },
    1,
    "",
  );
  const http = createServer((request, response) => {
    void send({ request, response, endWork: () => undefined } as unknown as Exchange, "a.png");
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  using client = await RawClient.connect(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  client.say(get("/"));
  await expect.poll(() => client.isClosed, { timeout: 3_000 }).toBe(true);
  expect(client.received.split("\r\n\r\n")[1] ?? "").toMatch(/^x{0,5}$/);
  http.close();
});

const keyOf = (error: unknown) => (error as { key?: string }).key;
