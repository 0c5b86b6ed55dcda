import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it } from "vitest";
import { boundConnections } from "../../src/http/connections.js";

it("a drain forgets pipelined responses of a connection that has ended", async () => {
  const http = createServer();
  const bounds = { most: 10, mostOfAddress: 10, isProxy: () => false, clientOf: () => "127.0.0.1", onRefused() {} };
  const unended = boundConnections(http, bounds);
  let requests = 0;
  http.on("request", () => (requests += 1)); // answers none, so that all but the first wait
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const socket = connect((http.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(10));
  await expect.poll(() => requests).toBe(10);
  expect(unended()).toHaveLength(10);
  socket.destroy();
  await expect.poll(() => unended().length).toBe(0);
  http.close();
});
