/** The throughput of Node itself on this machine: a server with one constant response. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

process.once("message", ({ body, contentType }: { body: Uint8Array; contentType: string }) => {
  const answer = Buffer.from(body);
  const server = createServer((_request, response) => {
    response.setHeader("Content-Type", contentType);
    response.setHeader("Content-Length", answer.length);
    response.end(answer);
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
});
process.once("disconnect", () => process.exit());
