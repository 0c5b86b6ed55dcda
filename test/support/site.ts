/** Another web site on this machine, for sources. Start it before the board, which has to allow it. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface Site extends AsyncDisposable {
  /** `127.0.0.1:port`, for SOURCE_ALLOW_HOSTS */
  host: string;
  /** `http://127.0.0.1:port` */
  url: string;
  /** responses by path; unknown paths are 404 */
  pages: Map<string, RequestListener>;
  /** paths asked for so far */
  asked: string[];
}

export async function startSite(): Promise<Site> {
  const pages = new Map<string, RequestListener>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const page = pages.get(path);
    if (page) page(request, response);
    else response.writeHead(404).end("nothing here");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    pages,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A page with these bytes. */
export const serving =
  (content: string | Buffer, type = "image/jpeg"): RequestListener =>
  (_, response) =>
    response.writeHead(200, { "content-type": type }).end(content);

/** A page that redirects. */
export const redirecting =
  (to: string): RequestListener =>
  (_, response) =>
    response.writeHead(302, { location: to }).end();

/** A page that never responds. */
export const silent: RequestListener = () => undefined;
