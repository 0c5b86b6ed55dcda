/** Access to `/metrics`: from the machine itself, or with the token. */
import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config.js";
import { startBoard, type TestBoard } from "../support/board.js";

const TOKEN = "a-token.of_enough~length";

let open: TestBoard;
let guarded: TestBoard;
beforeAll(async () => {
  open = await startBoard({ HOST: "0.0.0.0", TRUST_PROXY: "1" });
  guarded = await startBoard({ METRICS_TOKEN: TOKEN });
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await guarded[Symbol.asyncDispose]();
});

/** The status of a request with any headers, `Host` too, at any of the machine's addresses. */
function statusOf(test: TestBoard, headers: Record<string, string>, hostname = "127.0.0.1"): Promise<number> {
  const { port } = new URL(test.url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: "/metrics", headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.once("error", reject).end();
  });
}

describe("/metrics without METRICS_TOKEN", () => {
  it.each(["localhost:3000", "127.0.0.1", "127.0.0.1:9090", "[::1]:3000"])(
    "is served on the machine itself, at %s",
    async (host) => {
      expect(await statusOf(open, { host })).toBe(200);
    },
  );

  it.each(["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"])(
    "is 404 through a proxy on this machine that sends %s",
    async (name) => {
      expect(await statusOf(open, { host: "localhost", [name]: "127.0.0.1" })).toBe(404);
    },
  );

  it("is 404 under another host name (DNS rebinding)", async () => {
    for (const host of ["board.example", "localhost.evil.example", "127.0.0.1.evil.example"])
      expect([host, await statusOf(open, { host })]).toEqual([host, 404]);
  });

  it("can't be read by a page of another site in a browser on the machine", async () => {
    const own = open.anonymous.with({ origin: "https://evil.example" });
    const { status, headers } = await own.get("/metrics");
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, null]);
    expect((await own.get("/posts.json")).headers.get("access-control-allow-origin")).toBe("*");
  });

  const [outside] = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal);
  it.skipIf(!outside)("is 404 for other machines (the machine needs a network)", async () => {
    expect(await statusOf(open, { host: "localhost" }, outside?.address)).toBe(404);
  });

  it("is refused like an unknown path", async () => {
    const { status, json } = await open.anonymous.with({ "x-forwarded-for": "203.0.113.9" }).get("/metrics");
    expect([status, json]).toEqual([404, { success: false, reason: "not found", message: "not found" }]);
  });
});

describe("/metrics with METRICS_TOKEN", () => {
  it("is served to requests with the token, through a proxy too", async () => {
    const authorization = `Bearer ${TOKEN}`;
    expect(await statusOf(guarded, { authorization })).toBe(200);
    expect(await statusOf(guarded, { authorization, host: "board.example", "x-forwarded-for": "203.0.113.9" })).toBe(
      200,
    );
  });

  it.each<[string, Record<string, string>]>([
    ["nothing", {}],
    ["another token", { authorization: "Bearer another-token-of-that-length" }],
    ["a part of it", { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ["more than it", { authorization: `Bearer ${TOKEN}x` }],
    ["another scheme", { authorization: `Basic ${Buffer.from(`x:${TOKEN}`).toString("base64")}` }],
  ])("is 403 with %s, on this machine too", async (_, headers) => {
    expect(await statusOf(guarded, headers)).toBe(403);
  });

  it("never contains or logs the token", async () => {
    const { text } = await guarded.anonymous.with({ authorization: `Bearer ${TOKEN}` }).get("/metrics");
    expect(text).toContain("graphbooru_processes 1");
    expect(text).not.toContain(TOKEN);
    expect(JSON.stringify(guarded.log)).not.toContain(TOKEN);
  });

  it("logs refused requests, but not successful ones", async () => {
    const lines = () => guarded.log.filter(({ req }) => (req as { url?: string } | undefined)?.url === "/metrics");
    const before = lines().length;
    await statusOf(guarded, { authorization: `Bearer ${TOKEN}` });
    await statusOf(guarded, {});
    await expect.poll(() => lines().length).toBe(before + 1);
    expect(lines().at(-1)).toMatchObject({ res: { status: 403 }, route: "/metrics" });
  });
});

describe("METRICS_TOKEN", () => {
  it.each(["short", "fifteen-letters", "one with blanks in it, which no header has"])(
    "is refused as an invalid setting: %s",
    (token) => {
      expect(() => loadConfig({ METRICS_TOKEN: token })).toThrow("METRICS_TOKEN: must be a bearer token");
    },
  );
});
