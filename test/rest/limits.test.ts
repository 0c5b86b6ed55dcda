/** The hourly limits: counted by user or address, over both APIs, and reported in headers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Level } from "../../src/runtime/auth/levels.js";
import { loadConfig } from "../../src/config.js";
import { hourlyLimit } from "../../src/runtime/limits/limiter.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";

let test: TestBoard;
beforeAll(async () => {
  const limits = { LIMIT_ANONYMOUS: "5", LIMIT_MEMBER: "7", LIMIT_GOLD: "9", LIMIT_PLATINUM: "11" };
  test = await startBoard({ ...limits, TRUST_PROXY: "1" });
});
afterAll(() => test[Symbol.asyncDispose]());

let addresses = 0;
/** A visitor from an address that nobody used before. */
const visitor = (address = `198.51.100.${(addresses += 1)}`): Client =>
  test.anonymous.with({ "x-forwarded-for": address });

const allowance = ({ headers }: Answer): (string | null)[] =>
  ["x-ratelimit-limit", "x-ratelimit-remaining", "x-api-limit"].map((name) => headers.get(name));

async function use(client: Client, times: number): Promise<Answer> {
  let last = await client.get("/tags.json");
  for (let count = 1; count < times; count += 1) last = await client.get("/tags.json");
  return last;
}

describe("hourly limits of the specification", () => {
  it("count the addresses that proxies name, with or without a port", async () => {
    const remaining = async (address: string) => {
      const [, left] = allowance(await visitor(address).get("/tags.json"));
      return left;
    };
    const all = [
      "203.0.113.1",
      "203.0.113.1:5678",
      "203.0.113.2:5678",
      "2001:db8::1",
      "[2001:db8::1]",
      "[2001:db8::1]:5678",
    ];
    const left = [];
    for (const address of all) left.push(await remaining(address));
    expect(left).toEqual(["4", "3", "4", "4", "3", "2"]);
  });

  it("are 500, 3,000, 10,000 and 20,000 by level, and Platinum's above it", () => {
    const config = loadConfig({});
    const limits = Object.entries(Level).map(([name, level]) => [name, hourlyLimit(config, level)]);
    expect(Object.fromEntries(limits)).toEqual({
      Anonymous: 500,
      Restricted: 500,
      Member: 3000,
      Gold: 10_000,
      Platinum: 20_000,
      Builder: 20_000,
      Contributor: 20_000,
      Janitor: 20_000,
      Moderator: 20_000,
      Admin: 20_000,
    });
  });

  it("apply to the levels of users", async () => {
    const levels = ["Member", "Gold", "Platinum", "Builder", "Admin"] as const;
    const answers = [];
    for (const level of levels) answers.push(await (await test.make.user(level)).client.get("/tags.json"));
    expect(answers.map(allowance)).toEqual([
      ["7", "6", "6"],
      ["9", "8", "8"],
      ["11", "10", "10"],
      ["11", "10", "10"],
      ["11", "10", "10"],
    ]);
  });
});

describe("a request within the limit", () => {
  it("reports the limit, what remains, and when the hour ends", async () => {
    const client = visitor();
    const before = Math.floor(Date.now() / 1000);
    const [first, second] = [await client.get("/tags.json"), await client.get("/nowhere.json")];
    expect([first.status, allowance(first)]).toEqual([200, ["5", "4", "4"]]);
    expect([second.status, allowance(second)]).toEqual([404, ["5", "3", "3"]]);
    const reset = Number(first.headers.get("x-ratelimit-reset"));
    expect(reset - before).toBeGreaterThanOrEqual(3599);
    expect(reset - before).toBeLessThanOrEqual(3602);
    expect(first.headers.get("retry-after")).toBeNull();
  });
});

describe("a request over the limit", () => {
  it("is 421 with Retry-After, in JSON and XML", async () => {
    const client = visitor();
    expect((await use(client, 5)).status).toBe(200);
    const [json, xml] = [await client.get("/tags.json"), await client.get("/tags.xml")];
    const reason = "hourly limit of 5 requests exceeded";
    expect([json.status, json.json]).toEqual([421, { success: false, reason, message: reason }]);
    expect([xml.status, xml.xml?.attributes]).toEqual([421, { success: "false", reason }]);
    expect(allowance(json)).toEqual(["5", "0", "0"]);
    expect(Number(json.headers.get("retry-after"))).toBeGreaterThan(3590);
    expect(Number(json.headers.get("retry-after"))).toBeLessThanOrEqual(3600);
  });

  it("changes nothing", async () => {
    const { client, ...user } = await test.make.user();
    const post = await test.make.post("kept");
    expect((await use(client, 7)).status).toBe(200);
    const { status } = await client.put(`/posts/${post.id}.json`, { post: { tag_string: "lost" } });
    const { json } = await visitor().get(`/posts/${post.id}.json`);
    expect([status, json.tag_string, user.level]).toEqual([421, "kept lowres", 20]);
  });

  it("is THROTTLED in GraphQL", async () => {
    const client = visitor();
    await use(client, 5);
    const { status, json } = await client.graphql("{ tags { nodes { name } } }");
    expect(status).toBe(421);
    expect(json.errors).toMatchObject([
      { message: "hourly limit of 5 requests exceeded", extensions: { code: "THROTTLED", status: 421 } },
    ]);
  });
});

describe("requests counted together", () => {
  it("REST in every format, and GraphQL", async () => {
    const client = visitor();
    const answers = [
      await client.get("/tags.json"),
      await client.get("/posts.xml"),
      await client.graphql("{ tags { nodes { name } } }"),
      await client.post("/session.json", { name: "x", password: "y" }),
    ];
    expect(answers.map((answer) => answer.headers.get("x-ratelimit-remaining"))).toEqual(["4", "3", "2", "1"]);
  });

  it("a user's requests from all addresses, with any credentials", async () => {
    const user = await test.make.user();
    const [here, there] = [visitor(), visitor()];
    await here.as(user).get("/tags.json");
    await there.get("/tags.json", { login: user.name, api_key: user.apiKey });
    expect(allowance(await here.as(user).graphql("{ tags { nodes { name } } }"))).toEqual(["7", "4", "4"]);
    expect(allowance(await here.get("/tags.json"))).toEqual(["5", "4", "4"]);
  });

  it("users behind one address each have their own count, and its visitors another", async () => {
    const address = "198.51.100.200";
    await use(visitor(address), 6);
    const [one, two] = [await test.make.user(), await test.make.user()];
    expect((await visitor(address).get("/tags.json")).status).toBe(421);
    expect(allowance(await visitor(address).as(one).get("/tags.json"))).toEqual(["7", "6", "6"]);
    expect(allowance(await visitor(address).as(two).get("/tags.json"))).toEqual(["7", "6", "6"]);
  });

  it("visitors of one IPv6 /64, and IPv4 in both of its forms", async () => {
    await visitor("2001:db8:1:2::1").get("/tags.json");
    expect(allowance(await visitor("2001:db8:1:2:ffff::9").get("/tags.json"))).toEqual(["5", "3", "3"]);
    expect(allowance(await visitor("2001:db8:1:3::1").get("/tags.json"))).toEqual(["5", "4", "4"]);
    await visitor("203.0.113.7").get("/tags.json");
    expect(allowance(await visitor("::ffff:203.0.113.7").get("/tags.json"))).toEqual(["5", "3", "3"]);
  });

  it("wrong credentials count for the address, up to 421", async () => {
    const client = visitor();
    const guess = () => client.get("/tags.json", { login: "alma", api_key: "guess" });
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1) statuses.push((await guess()).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 421]);
    expect((await client.get("/tags.json")).status).toBe(421);
  });

  it("OPTIONS (CORS preflight) and health checks are not counted", async () => {
    const client = visitor();
    await use(client, 6);
    const preflight = await client.send("/posts/1.json", { method: "OPTIONS" });
    expect([preflight.status, (await client.get("/healthz")).status]).toEqual([200, 200]);
  });

  it("requests with an invalid body are counted", async () => {
    const client = visitor();
    const bad = () =>
      client.send("/comments.json", { method: "POST", body: "{", headers: { "content-type": "application/json" } });
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1) statuses.push((await bad()).status);
    expect(statuses).toEqual([424, 424, 424, 424, 424, 421]);
  });

  it("requests with an invalid query are counted", async () => {
    const client = visitor();
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1)
      statuses.push((await client.send("/posts.json?a[b][c][d][e][f][g][h]=1")).status);
    expect(statuses).toEqual([424, 424, 424, 424, 424, 421]);
  });
});
