/** A fault of the server itself, outside of all steps of a request. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { serveExchanges } from "../../src/http/pipeline.js";
import { sharedSchema } from "../../src/http/server.js";
import { HeavyLane } from "../../src/runtime/limits/heavy-lane.js";
import { startBoard } from "../support/board.js";

it("a request whose sender can't be determined is logged, and ends only its own connection", async () => {
  await using test = await startBoard();
  let isBroken = true;
  const proxies = {
    clientIp() {
      if (isBroken) throw new TypeError("no address");
      return "127.0.0.1";
    },
    protocolOf: () => "http",
    hostOf: () => "board.example",
  };
  const operations = { schema: sharedSchema() };
  const parts = { proxies, operations, lane: new HeavyLane(), drain: { isDraining: false } };
  const http = createServer(serveExchanges(test.board, parts as never)).listen(0, "127.0.0.1");
  await once(http, "listening");
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/healthz?password=hush`;
  await expect(fetch(url)).rejects.toThrow("fetch failed");
  const [line] = test.log.filter(({ msg }) => msg === "a response could not be sent");
  expect(line).toMatchObject({
    req: { method: "GET", url: "/healthz?password=[redacted]", address: "127.0.0.1" },
    err: { message: "no address" },
  });
  isBroken = false;
  expect(await (await fetch(url)).json()).toEqual({ status: "ok" });
  http.close();
});
