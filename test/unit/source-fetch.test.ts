import { createHash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DownloadOptions, downloadSource } from "../../src/sources/fetch.js";
import type { Received } from "../../src/lib/files.js";
import { checkedTarget, guardedLookup, publicLookup } from "../../src/sources/target.js";
import { Folder } from "../support/folder.js";

let folder: Folder;
let server: Server;
/** host:port of the server */
let host: string;
let respond: RequestListener;
let requests: { url: string | undefined; headers: Record<string, unknown> }[];

beforeEach(async () => {
  folder = await Folder.make();
  requests = [];
  respond = (_, response) => response.setHeader("content-type", "image/png").end("picture");
  server = createServer((request, response) => {
    requests.push({ url: request.url, headers: request.headers });
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await folder[Symbol.asyncDispose]();
});

function download(url: string, options: Partial<DownloadOptions> = {}): Promise<Received> {
  const defaults = { maxBytes: 1000, timeoutMs: 5000, allowHosts: [host] };
  return downloadSource(url, { path: folder.at("body"), ...defaults, ...options });
}

const because = (text: string) => ({ status: 420, reason: `source ${text}` });
const notPublic = because("leads to an address that is not public");
const noWeb = because("is not an http or https URL");
const failed = because("could not be downloaded");
const late = because("could not be downloaded in time");
const tooLarge = because("is larger than 1000 bytes");

/** Expects the refusal, and that nothing of the download is left. */
async function expectRefusal(work: Promise<unknown>, refusal: object): Promise<void> {
  await expect(work).rejects.toMatchObject(refusal);
  expect(await readdir(folder.path)).toEqual([]);
}

describe("downloadSource", () => {
  it("writes the body and returns its size and md5", async () => {
    const md5 = createHash("md5").update("picture").digest("hex");
    expect(await download(`http://${host}/a.png?x=1#part`)).toEqual({ size: 7, md5 });
    expect(requests).toMatchObject([{ url: "/a.png?x=1" }]);
    expect(await readFile(folder.at("body"), "utf8")).toBe("picture");
  });

  it("sends a User-Agent, asks for no compression and sends nothing else", async () => {
    await download(`http://${host}/a.png`);
    expect(requests).toEqual([
      {
        url: "/a.png",
        headers: {
          host,
          connection: "keep-alive",
          accept: "*/*",
          "accept-encoding": "identity",
          "user-agent": "Graphbooru/0.1 (image board; downloads what a user named as source)",
        },
      },
    ]);
  });

  it("accepts a body of exactly the maximum size", async () => {
    respond = (_, response) => response.end(Buffer.alloc(1000));
    await download(`http://${host}/`);
    expect((await readFile(folder.at("body"))).length).toBe(1000);
  });

  it.each([400, 401, 404, 500, 503, 304])("refuses an answer with status %i", async (status) => {
    respond = (_, response) => response.writeHead(status).end();
    await expectRefusal(
      download(`http://${host}/`),
      because(`could not be downloaded (the site responded with ${status})`),
    );
  });

  describe("and redirects", () => {
    it.each([301, 302, 303, 307, 308])("follows %i", async (status) => {
      respond = ({ url }, response) => {
        if (url === "/a/b") return response.writeHead(status, { location: "../c#x" }).end("elsewhere");
        return response.end("there");
      };
      await download(`http://${host}/a/b`);
      expect(requests.map(({ url }) => url)).toEqual(["/a/b", "/c"]);
      expect(await readFile(folder.at("body"), "utf8")).toBe("there");
    });

    it("follows at most four", async () => {
      respond = ({ url }, response) => {
        const left = Number(url?.slice(1));
        if (left === 0) return response.end("there");
        return response.writeHead(302, { location: `/${left - 1}` }).end();
      };
      await download(`http://${host}/4`);
      expect(requests.at(-1)?.url).toBe("/0");
      requests = [];
      await folder.write("body", "");
      await expectRefusal(download(`http://${host}/5`), failed);
      expect(requests.map(({ url }) => url)).toEqual(["/5", "/4", "/3", "/2", "/1"]);
    });

    it("refuses one without a valid target", async () => {
      respond = (_, response) => response.writeHead(302).end();
      await expectRefusal(
        download(`http://${host}/`),
        because("could not be downloaded (the site responded with 302)"),
      );
    });

    it.each([
      ["http://169.254.169.254/latest/meta-data/", notPublic],
      ["http://127.0.0.1/", notPublic],
      ["//localhost/", notPublic],
      ["http://[::1]/", notPublic],
      ["http://8.8.8.8:22/", notPublic],
      ["file:///etc/passwd", noWeb],
      ["ftp://8.8.8.8/", noWeb],
      ["data:text/plain,x", noWeb],
      ["http://user:password@8.8.8.8/", noWeb],
      ["http://", noWeb],
    ])("checks their target: %s", async (location, refusal) => {
      respond = (_, response) => response.writeHead(302, { location }).end();
      await expectRefusal(download(`http://${host}/`), refusal);
      expect(requests.length).toBe(1);
    });
  });

  describe("and the address", () => {
    it("refuses a private one without connecting", async () => {
      await expectRefusal(download(`http://${host}/`, { allowHosts: [] }), notPublic);
      await expectRefusal(download(`http://${host}/`, { allowHosts: ["127.0.0.1:1"] }), notPublic);
      expect(requests).toEqual([]);
    });

    it("refuses a name that resolves to a private one", async () => {
      for (const url of ["http://localhost/", "http://localhost:8080/"]) {
        await expectRefusal(download(url, { allowHosts: [] }), notPublic);
      }
    });

    it("accepts an allowed name", async () => {
      const name = host.replace("127.0.0.1", "localhost");
      await download(`http://LOCALHOST:${name.split(":")[1]}/`, { allowHosts: [name] });
      expect(requests.length).toBe(1);
    });

    it("reports a name that does not exist", async () => {
      await expectRefusal(download("http://name.invalid/"), failed);
    });
  });

  describe("and size", () => {
    it("refuses by the announced length, before the body, and closes the connection", async () => {
      let closed = false;
      respond = (request, response) => {
        request.on("close", () => (closed = true));
        response.writeHead(200, { "content-length": "1001" });
        response.write("x");
      };
      const patience = { timeoutMs: 60_000, stallMs: 60_000 };
      await expectRefusal(download(`http://${host}/`, patience), tooLarge);
      await expect.poll(() => closed).toBe(true);
    });

    it("refuses during the body if no length was announced", async () => {
      let closed = false;
      respond = (request, response) => {
        request.on("close", () => (closed = true));
        const timer = setInterval(() => response.write(Buffer.alloc(400)), 5);
        response.on("close", () => clearInterval(timer));
      };
      await expectRefusal(download(`http://${host}/`), tooLarge);
      await expect.poll(() => closed).toBe(true);
    });

    it("refuses compressed bodies, which could grow", async () => {
      respond = (_, response) => response.setHeader("content-encoding", "gzip").end(gzipSync(Buffer.alloc(100_000)));
      await expectRefusal(download(`http://${host}/`), failed);
    });
  });

  describe("and time", () => {
    it("gives up when no headers come", async () => {
      respond = () => {};
      await expectRefusal(download(`http://${host}/`, { timeoutMs: 100 }), late);
    });

    it("gives up when the body is too slow", async () => {
      respond = (_, response) => {
        const timer = setInterval(() => response.write("x"), 10);
        response.on("close", () => clearInterval(timer));
      };
      await expectRefusal(download(`http://${host}/`, { timeoutMs: 150 }), late);
    });

    it.each([
      ["before the headers", false],
      ["within the body", true],
    ])("gives up when the server falls silent %s", async (_, starts) => {
      respond = (_request, response) => void (starts && response.write("x"));
      const began = Date.now();
      await expectRefusal(download(`http://${host}/`, { timeoutMs: 30_000, stallMs: 200 }), late);
      expect(Date.now() - began).toBeLessThan(10_000);
    });

    it("counts redirects too", async () => {
      respond = (_, response) => void setTimeout(() => response.writeHead(302, { location: "/" }).end(), 60);
      await expectRefusal(download(`http://${host}/`, { timeoutMs: 150 }), late);
    });
  });

  describe("and broken servers", () => {
    it("refuses a body that ends too early", async () => {
      respond = (_, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("x", () => response.destroy());
      };
      await expectRefusal(download(`http://${host}/`), failed);
    });

    it("refuses a port without a listener", async () => {
      const closed = createSocketServer();
      await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
      const port = (closed.address() as AddressInfo).port;
      await new Promise((resolve) => closed.close(resolve));
      await expectRefusal(download(`http://127.0.0.1:${port}/`, { allowHosts: [`127.0.0.1:${port}`] }), failed);
    });

    it("refuses what is not HTTP", async () => {
      const ssh = createSocketServer((socket) =>
        socket
          .on("error", () => {})
          .resume()
          .end("SSH-2.0-x\r\n"),
      );
      await new Promise<void>((resolve) => ssh.listen(0, "127.0.0.1", resolve));
      const port = (ssh.address() as AddressInfo).port;
      await expectRefusal(download(`http://127.0.0.1:${port}/`, { allowHosts: [`127.0.0.1:${port}`] }), failed);
      await new Promise((resolve) => ssh.close(resolve));
    });

    it("refuses more than ten informational responses", async () => {
      const hinted = (hints: number) => (_: unknown, response: ServerResponse) => {
        response.socket?.write("HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n".repeat(hints));
        response.end("picture");
      };
      respond = hinted(10);
      expect(await download(`http://${host}/`)).toMatchObject({ size: 7 });
      await rm(folder.at("body"));
      respond = hinted(11);
      await expectRefusal(download(`http://${host}/`), failed);
    });

    it("reports our own disk's errors as such", async () => {
      const path = folder.at("missing/body");
      await expectRefusal(download(`http://${host}/`, { path }), { code: "ENOENT", syscall: "open" });
    });
  });
});

describe("checkedTarget", () => {
  const refusalOf = (url: string): unknown => {
    try {
      return checkedTarget(url, []);
    } catch (error) {
      return error;
    }
  };

  it.each([
    "http://0.0.0.0/",
    "http://127.1/",
    "http://0177.0.0.1/",
    "http://0x7f.0.0.1/",
    "http://2130706433/",
    "http://0/",
    "http://10.0.0.1/",
    "http://192.168.0.1:8080/",
    "http://169.254.169.254/",
    "http://100.64.0.1/",
    "http://[::]/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[fd00::1]/",
    "http://[::ffff:a00:1]/",
    "http://１２７.0.0.1/",
    "http://127。0。0。1/",
    "http://%31%32%37.0.0.1/",
    "http://8.8.8.8:22/",
    "http://example.com:6379/",
    "https://example.com:8081/",
  ])("refuses the address of %s", (url) => expect(refusalOf(url)).toMatchObject(notPublic));

  it.each([
    "",
    "x",
    "/etc/passwd",
    "//example.com/",
    "http://",
    "http://[::1",
    "http://a b/",
    "http://example.com:99999/",
    "file:///etc/passwd",
    "ftp://example.com/",
    "gopher://example.com/",
    "javascript:alert(1)",
    "blob:http://x/y",
    "http://user@example.com/",
    "http://user:password@example.com/",
    "http://:password@example.com/",
  ])("refuses the URL %j", (url) => expect(refusalOf(url)).toMatchObject(noWeb));

  it.each([
    ["http://8.8.8.8/", "http://8.8.8.8/"],
    ["https://example.com:443/x#y", "https://example.com/x"],
    ["HTTP://EXAMPLE.com:8080", "http://example.com:8080/"],
    ["https://example.com:8443/", "https://example.com:8443/"],
    ["http://[2606:4700::1111]/", "http://[2606:4700::1111]/"],
    [" https://example.com/ü ", "https://example.com/%C3%BC"],
  ])("takes %j", (text, expected) => {
    const { url, lookup } = checkedTarget(text, []);
    expect(url.href).toBe(expected);
    expect(lookup).toBe(publicLookup);
  });

  it("exempts allowed hosts and ports", () => {
    const allowed = ["db.internal:5000", "[::1]:80"];
    expect(checkedTarget("http://db.internal:5000/", allowed).lookup).not.toBe(publicLookup);
    expect(checkedTarget("http://[::1]/", allowed).lookup).not.toBe(publicLookup);
    expect(checkedTarget("http://db.internal/", allowed).lookup).toBe(publicLookup);
    expect(() => checkedTarget("ftp://db.internal:5000/", allowed)).toThrow("is not an http");
  });
});

describe("publicLookup", () => {
  const lookup = (name: string, options: object, by = publicLookup) =>
    new Promise((resolve) => by(name, options, (error, ...found) => resolve(error ?? found)));

  it("returns one address or all, as requested", async () => {
    const found = [
      { address: "8.8.8.8", family: 4 },
      { address: "2001:4860:4860::8888", family: 6 },
    ];
    const known = guardedLookup(() => Promise.resolve(found));
    expect(await lookup("site.example", {}, known)).toEqual(["8.8.8.8", 4]);
    expect(await lookup("site.example", { all: true }, known)).toEqual([found]);
  });

  it("refuses private addresses and passes on errors of name servers", async () => {
    expect(await lookup("localhost", {})).toMatchObject(notPublic);
    expect(await lookup("localhost", { all: true })).toMatchObject(notPublic);
    expect(await lookup("name.invalid", {})).toHaveProperty("code");
  });
});
