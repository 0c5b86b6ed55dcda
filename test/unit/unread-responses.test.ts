import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { UnreadResponses } from "../../src/http/slow-clients.js";
import { RawClient } from "../support/raw-client.js";

/** More than the system buffers for a connection. */
const BODY = Buffer.alloc(48_000_000, "x");

const unread = new UnreadResponses(2.5 * BODY.length);
const server = createServer(({ url = "" }, response) => {
  unread.add(url, response, BODY.length);
  response.end(BODY);
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

/** Sends a request with `address` as its path, and reads nothing until it is told to. */
async function ask(address: string): Promise<RawClient> {
  const client = await RawClient.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client.stopReading();
  const asked = once(server, "request");
  client.say(`GET /${address} HTTP/1.1\r\nHost: board\r\nConnection: close\r\n\r\n`);
  await asked;
  return client;
}

/** Whether each client receives its whole response. */
async function readAll(clients: RawClient[]): Promise<boolean[]> {
  for (const client of clients) client.readAgain();
  await expect.poll(() => clients.every(({ isClosed }) => isClosed)).toBe(true);
  return clients.map(({ received }) => received.length > BODY.length);
}

it("are cut off beyond the limit: the oldest of the address with the most", async () => {
  const first = await ask("first");
  const others = [await ask("second"), await ask("second"), await ask("second")];
  expect(await readAll([first, ...others])).toEqual([true, false, false, true]);
});

it("are not counted any more when they were read", async () => {
  for (let count = 0; count < 4; count += 1) expect(await readAll([await ask("first")])).toEqual([true]);
  expect(await readAll([await ask("first"), await ask("second")])).toEqual([true, true]);
});
