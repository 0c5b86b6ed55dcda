/** Requests whose client disconnects before the response: writes are completed if they have begun, and dropped if they still wait. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import { holdTable, PATIENCE } from "../support/held-table.js";
import { sample } from "../support/metrics.js";
import { BOUNDARY, multipart } from "../support/multipart.js";
import { RawClient } from "../support/raw-client.js";
import { Talk } from "../support/talk.js";
import { filesOf } from "../support/traces.js";

const VOTE_TWICE = `mutation($one: CreatePostVoteInput!, $two: CreatePostVoteInput!) {
  one: createPostVote(input: $one) { post { score } }
  two: createPostVote(input: $two) { post { score } }
}`;

let test: TestBoard;
afterEach(() => test[Symbol.asyncDispose]());

async function begin(settings: Record<string, string>): Promise<{ user: TestUser; ids: [number, number] }> {
  test = await startBoard({ ...PATIENCE, ...settings });
  return { user: await test.make.user(), ids: [(await test.make.post()).id, (await test.make.post()).id] };
}

/** Sends both votes, and leaves when `isTime`; the server has noticed it then. */
async function voteAndLeave(user: TestUser, [one, two]: [number, number], isTime: () => Promise<void>): Promise<void> {
  const variables = { one: { postId: one, score: "UP" }, two: { postId: two, score: "UP" } };
  const body = JSON.stringify({ query: VOTE_TWICE, variables });
  const key = Buffer.from(`${user.name}:${user.apiKey}`).toString("base64");
  {
    using client = await RawClient.connect(test.url);
    const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nAuthorization: Basic ${key}`;
    client.say(`POST /graphql HTTP/1.1\r\nHost: board\r\n${headers}\r\n\r\n${body}`);
    await isTime();
  }
  await aborted();
}
/** Until the server has noticed that the one client has left. */
const aborted = () => expect.poll(() => test.log.filter(({ msg }) => msg === "request aborted").length).toBe(1);

const scores = async (ids: number[]): Promise<number[]> => {
  const posts = await test.board.database.post.findMany({ where: { id: { in: ids } } });
  return posts.map(({ score }) => score);
};

describe("a mutation whose client has disconnected", () => {
  it("completes all its fields once it has started", async () => {
    const { user, ids } = await begin({});
    {
      await using held = await holdTable(test.board.databaseUrl, "post_votes");
      await voteAndLeave(user, ids, () => expect.poll(() => held.waiting()).toBe(1));
    }
    await expect.poll(() => scores(ids)).toEqual([1, 1]);
  });

  it("changes nothing if it was still waiting for its turn", async () => {
    const { user, ids } = await begin({ MAX_REQUESTS_PER_ADDRESS: "1" });
    {
      await using held = await holdTable(test.board.databaseUrl, "tags");
      const asked = test.anonymous.get("/tags.json");
      await expect.poll(() => held.waiting()).toBe(1);
      await voteAndLeave(user, ids, () => expect.poll(() => test.board.telemetry.metrics.inFlight).toBe(2));
      void asked;
    }
    expect((await user.client.get("/profile.json")).status).toBe(200); // whose turn came after it
    expect(await scores(ids)).toEqual([0, 0]);
  });
});

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Notes the WebSockets of both ends that are opened from now on, and counts those in memory: looking through all memory for them takes seconds. */
function noteSockets(): { opened: () => number; kept: () => number; [Symbol.dispose]: () => void } {
  const prototype = WebSocket.prototype as unknown as { setSocket: (this: WebSocket, ...args: unknown[]) => void };
  const { setSocket } = prototype;
  const sockets: WeakRef<WebSocket>[] = [];
  prototype.setSocket = function note(...args) {
    sockets.push(new WeakRef(this));
    setSocket.apply(this, args);
  };
  return {
    opened: () => sockets.length,
    kept() {
      collectGarbage();
      return sockets.filter((socket) => socket.deref()).length;
    },
    [Symbol.dispose]: () => void (prototype.setSocket = setSocket),
  };
}

const UPLOAD = `mutation($input: CreateUploadInput!) { createUpload(input: $input) { upload { id } } }`;

const OPERATION = { query: UPLOAD, variables: { input: { tagString: "finished rating:s", file: null } } };

describe("an upload whose client has disconnected while its file was processed", () => {
  it.each<[path: string, parts: [string, string][], file: string]>([
    [
      "/uploads.json",
      [
        ["upload[rating]", "s"],
        ["upload[tag_string]", "finished"],
      ],
      "upload[file]",
    ],
    [
      "/graphql",
      [
        ["operations", JSON.stringify(OPERATION)],
        ["map", '{"0":["variables.input.file"]}'],
      ],
      "0",
    ],
  ])("is completed, and is no error: POST %s", async (path, parts, file) => {
    const { user } = await begin({});
    const body = new FormData();
    for (const [name, content] of parts) body.append(name, content);
    body.append(file, await test.make.picture());
    const key = Buffer.from(`${user.name}:${user.apiKey}`).toString("base64");
    const headers = { authorization: `Basic ${key}`, "apollo-require-preflight": "true" };
    const leaving = new AbortController();
    {
      await using held = await holdTable(test.board.databaseUrl, "media_files"); // read before the file is decoded
      const answer = fetch(`${test.url}${path}`, { method: "POST", headers, body, signal: leaving.signal });
      await expect.poll(() => held.waiting()).toBe(1);
      leaving.abort();
      await expect(answer).rejects.toThrow("aborted");
      await aborted();
    }
    await expect.poll(() => test.board.ingest.bytesInFlight).toBe(0);
    expect((await sample(test.anonymous)).total("graphbooru_failures_total")).toBe(0);
    expect(test.log.filter(({ level }) => Number(level) > 30)).toEqual([]);
    expect((await test.anonymous.get("/posts.json", { tags: "finished" })).json).toHaveLength(1);
    expect((await filesOf(test)).filter((name) => name.startsWith("tmp"))).toEqual([]);
  });
});

describe("a client that has disconnected while it was authenticated", () => {
  it.each([
    ["", 1_000],
    [", but was not read to its end", 100_000],
  ])("leaves no file of an upload that had arrived%s", async (_, bytes) => {
    const { user } = await begin({});
    const files = await filesOf(test);
    const body = multipart([
      { name: "login", content: user.name },
      { name: "api_key", content: user.apiKey },
      { name: "upload[file]", filename: "a.png", content: "x".repeat(bytes) },
    ]).toString("latin1");
    {
      await using held = await holdTable(test.board.databaseUrl, "users");
      using client = await RawClient.connect(test.url);
      const type = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
      client.say(
        `POST /uploads.json HTTP/1.1\r\nHost: board\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await expect.poll(() => held.waiting()).toBe(1);
      client[Symbol.dispose]();
      await aborted();
    }
    await expect.poll(async () => (await sample(test.anonymous)).total("graphbooru_failures_total")).toBe(1);
    expect([await filesOf(test), test.board.ingest.bytesInFlight]).toEqual([files, 0]);
  });

  it("leaves no WebSocket", async () => {
    await begin({ LIMITS_STORE: "postgres" });
    using sockets = noteSockets();
    {
      await using held = await holdTable(test.board.databaseUrl, "rate_limits");
      for (let count = 0; count < 20; count += 1) {
        using talk = await Talk.open(test);
        talk.say({ type: "connection_init" }); // as a visitor, whose requests are counted
      }
      await expect.poll(() => held.waiting()).toBe(1);
      expect(sockets.opened()).toBe(40);
    }
    await expect.poll(sockets.kept, { interval: 500 }).toBeLessThan(10);
  });
});
