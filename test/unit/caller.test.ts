/** Address, scheme and host of a request behind several proxies, each of which appends its value to the headers. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Proxies } from "../../src/http/caller.js";

let trusted: string | undefined;
let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    const proxies = new Proxies(trusted);
    response.end([proxies.clientIp(request), proxies.protocolOf(request), proxies.hostOf(request)].join(" "));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => void server.close());

async function seen(setting: string | undefined, headers: Record<string, string>): Promise<string> {
  trusted = setting;
  const { port } = server.address() as AddressInfo;
  return (await fetch(`http://127.0.0.1:${port}`, { headers })).text();
}

describe("address, scheme and host of a request", () => {
  // the client made up the first values, the outer proxy appended the second ones, the inner proxy the third ones
  const headers = {
    "x-forwarded-for": "192.0.2.1, 198.51.100.2, 10.0.0.3",
    "x-forwarded-proto": "odd, https, http",
    "x-forwarded-host": "evil.example, board.example, inner",
  };

  it.each([
    ["one proxy", "1", "10.0.0.3 http inner"],
    ["two proxies", "2", "198.51.100.2 https board.example"],
    ["proxies by their addresses", "127.0.0.1, 10.0.0.0/8", "198.51.100.2 https board.example"],
    ["more proxies than there are values", "9", "192.0.2.1 odd evil.example"],
  ])("are what the same proxy says, behind %s", async (_, setting, expected) => {
    expect(await seen(setting, headers)).toBe(expected);
  });

  it("are the only values where proxies replace them", async () => {
    const replaced = { ...headers, "x-forwarded-proto": "https", "x-forwarded-host": "board.example" };
    for (const setting of ["1", "2"]) expect(await seen(setting, replaced)).toMatch(/ https board\.example$/);
  });

  it("are those of the connection without a proxy, or without these headers", async () => {
    const { port } = server.address() as AddressInfo;
    expect(await seen(undefined, headers)).toBe(`127.0.0.1 http 127.0.0.1:${port}`);
    expect(await seen("1", {})).toBe(`127.0.0.1 http 127.0.0.1:${port}`);
  });
});
