/** The example proxies of deploy/ before a board: addresses, sizes and WebSockets work as documented. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { request } from "node:https";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { startBoard, type TestBoard } from "../support/board.js";
import { Folder } from "../support/folder.js";
import { freePort } from "../support/free-port.js";
import { exampleOf, isInstalled, nginxArguments, SYSTEM } from "../support/proxies.js";

const HOST = "board.example.org";

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Listens on a port of its own, before the board at this host. */
interface Adapted {
  port: number;
  host: string;
}

interface Proxy {
  program: string;
  file: string;
  adapt: (example: string, options: Adapted, folder: Folder) => string;
  argumentsFor: (folder: Folder, example: string) => Promise<string[]>;
}

const PROXIES: Proxy[] = [
  {
    program: "nginx",
    file: "nginx.conf",
    adapt: (example, { port, host }, folder) =>
      example
        .replace("listen 443", `listen 127.0.0.1:${port}`)
        .replace("listen 80", `listen unix:${folder.at("http")}`)
        .replace("127.0.0.1:3000", host),
    argumentsFor: nginxArguments,
  },
  {
    program: "caddy",
    file: "Caddyfile",
    adapt: (example, { port, host }, folder) =>
      `{\n admin off\n auto_https disable_redirects\n storage file_system ${folder.at("caddy")}\n}\n${example}`
        .replace(
          "board.example.org {",
          `https://board.example.org:${port} {\n bind 127.0.0.1\n tls ${folder.at("certificate.pem")} ${folder.at("key.pem")}`,
        )
        .replace("127.0.0.1:3000", host),
    argumentsFor: async (folder, example) => ["run", "--config", await folder.write("Caddyfile", example)],
  },
  {
    program: "haproxy",
    file: "haproxy.cfg",
    adapt: (example, { port, host }) =>
      example
        .replace("maxconn 20000", "maxconn 100")
        .replace("bind :443", `bind 127.0.0.1:${port}`)
        .replace("10.0.0.11:3000", host)
        .replace("server two 10.0.0.12:3000", ""),
    argumentsFor: async (folder, example) => ["-f", await folder.write("haproxy.cfg", example)],
  },
];

for (const proxy of PROXIES) {
  const isHere = isInstalled(proxy.program) && isInstalled("openssl");
  describe.skipIf(!isHere)(`${proxy.program} with deploy/${proxy.file}, if installed`, () => {
    let board: TestBoard;
    let folder: Folder;
    let server: ChildProcess;
    let port: number;
    beforeAll(async () => {
      board = await startBoard({ TRUST_PROXY: "1", METRICS_TOKEN: "the-token-of-the-metrics" });
      folder = await Folder.make();
      port = await freePort();
      const example = proxy.adapt(await exampleOf(folder, proxy.file), { port, host: new URL(board.url).host }, folder);
      const env = { ...SYSTEM, HOME: folder.path };
      server = spawn(proxy.program, await proxy.argumentsFor(folder, example), { env, stdio: "ignore" });
    });
    afterAll(async () => {
      const ended = server && once(server, "exit");
      server?.kill("SIGTERM");
      await ended;
      await board?.[Symbol.asyncDispose]();
      await folder?.[Symbol.asyncDispose]();
    });

    async function ask(
      path: string,
      method = "GET",
      headers: Record<string, string> = {},
      body?: Uint8Array,
      localAddress = "127.0.0.1",
    ): Promise<Answer> {
      const options = {
        host: "127.0.0.1",
        port,
        path,
        method,
        localAddress,
        servername: HOST,
        rejectUnauthorized: false,
      };
      const sent = request({ ...options, headers: { host: HOST, ...headers } });
      sent.end(body);
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      return { status: answer.statusCode, headers: answer.headers, text: (await buffer(answer)).toString("utf8") };
    }

    it("proxies requests over HTTPS, with URLs of 64 KiB, and blocks /metrics", async () => {
      await expect.poll(() => ask("/readyz").then(({ status }) => status, String)).toBe(200);
      const { status, headers } = await ask(`/posts.json?tags=${"%78".repeat(21_000)}`);
      expect([status, headers["strict-transport-security"]]).toEqual([200, "max-age=31536000"]);
      for (const path of ["/metrics", "/metrics/"]) expect((await ask(path)).status).toBe(404);
    });

    it("passes on the client's address, which clients can't forge", async () => {
      const spoofed = { "x-forwarded-for": "203.0.113.9" };
      expect((await ask("/tags.json?limit=7", "GET", spoofed, undefined, "127.0.0.2")).status).toBe(200);
      const requests = () => board.log.map(({ req }) => req as { url?: string; address?: string } | undefined);
      const logged = () => requests().find((each) => each?.url?.endsWith("limit=7"))?.address;
      await expect.poll(logged).toBe("127.0.0.2");
    });

    it("passes it on with a thousand headers, or refuses them", async () => {
      const many = Object.fromEntries(Array.from({ length: 1_100 }, (_, index) => [`a${index}`, "x"]));
      const { status } = await ask("/tags.json?limit=8", "GET", many, undefined, "127.0.0.2");
      if (status === 400) return;
      const requests = () => board.log.map(({ req }) => req as { url?: string; address?: string } | undefined);
      await expect.poll(() => requests().find((each) => each?.url?.endsWith("limit=8"))?.address).toBe("127.0.0.2");
    });

    it("accepts uploads of megabytes, and responds with URLs of HTTPS", async () => {
      const user = await board.make.user("Contributor");
      const form = new FormData();
      const raw = { width: 1000, height: 1000, channels: 3 } as const;
      const noise = await sharp(randomBytes(raw.width * raw.height * raw.channels), { raw })
        .png()
        .toBuffer();
      const file = new Blob([new Uint8Array(noise)]); // nothing to compress: three megabytes
      form.append("upload[file]", file);
      form.append("upload[rating]", "s");
      form.append("upload[tag_string]", `through_${proxy.program}`);
      const body = new Response(form);
      const authorization = `Basic ${btoa(`${user.name}:${user.client.login?.apiKey}`)}`;
      const headers = { authorization, "content-type": body.headers.get("content-type") ?? "" };
      const answer = await ask("/uploads.json", "POST", headers, new Uint8Array(await body.arrayBuffer()));
      expect(answer.status).toBe(200);
      const { text } = await ask(`/posts.json?tags=through_${proxy.program}&only=file_url`);
      expect(text).toMatch(new RegExp(`^\\[\\{"file_url":"https://${HOST}/data/original/`));
    });

    it("lets WebSockets through", async () => {
      const options = { headers: { host: HOST }, servername: HOST, rejectUnauthorized: false };
      const socket = new WebSocket(`wss://127.0.0.1:${port}/graphql`, "graphql-transport-ws", options);
      await once(socket, "open");
      socket.send(JSON.stringify({ type: "connection_init" }));
      const [message] = (await once(socket, "message")) as [Buffer];
      expect(JSON.parse(message.toString("utf8"))).toMatchObject({ type: "connection_ack" });
      socket.close();
    });
  });
}
