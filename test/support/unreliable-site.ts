/** A proxy before a site, which fails as tests want it to. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Answers instead of the site. @returns whether it did */
export type Fault = (path: string, response: ServerResponse) => boolean;

export interface UnreliableSite extends AsyncDisposable {
  url: string;
  /** asked at every request; none by default */
  fault: Fault;
  /** paths asked for so far, with `authorization` where it came */
  asked: { path: string; authorization: string | undefined; at: number }[];
}

/** @param behind address of the site that answers what does not fail; it sees this one's host as its own */
export async function startUnreliableSite(behind: string): Promise<UnreliableSite> {
  const site = { fault: (() => false) as Fault, asked: [] as UnreliableSite["asked"] };
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? "";
    site.asked.push({ path, authorization: incoming.headers.authorization, at: Date.now() });
    if (!site.fault(path, response)) forward(new URL(path, behind), incoming, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(site, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function forward(url: URL, incoming: IncomingMessage, response: ServerResponse): void {
  const { authorization: _, ...headers } = incoming.headers;
  const onward = request(url, { headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  onward.end();
}

/** A response to paths with this prefix, this many times. */
export function failing(prefix: string, times: number, answer: (response: ServerResponse) => unknown): Fault {
  let left = times;
  return (path, response) => {
    if (!path.startsWith(prefix) || left === 0) return false;
    left -= 1;
    answer(response);
    return true;
  };
}

/** A response with this status. */
export const answering =
  (status: number, body = "", headers: Record<string, string> = {}) =>
  (response: ServerResponse): unknown =>
    response.writeHead(status, headers).end(body);
