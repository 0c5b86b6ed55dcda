/** The sender's rights count when a request is carried out: its head may have arrived long before the rest. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { endSessions } from "../../src/resources/session/session.service.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { multipart, BOUNDARY } from "../support/multipart.js";
import { RawClient } from "../support/raw-client.js";
import { replacePassword, signIn } from "../support/session.js";

/** After this time the sender of a body is looked up again, in milliseconds. */
const LATE_MS = 1_000;

let test: TestBoard;
let post: TestPost;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  test = await startBoard();
  post = await test.make.post();
  admin = await test.make.user("Admin");
});
afterAll(() => test[Symbol.asyncDispose]());

const opened: RawClient[] = [];
afterEach(() => {
  for (const client of opened.splice(0)) client[Symbol.dispose]();
});

const basic = ({ name, apiKey }: TestUser): string =>
  `Authorization: Basic ${Buffer.from(`${name}:${apiKey}`).toString("base64")}`;

interface Sent {
  path: string;
  type: string;
  body: Buffer;
}

const json = (path: string, body: unknown): Sent => ({
  path,
  type: "application/json",
  body: Buffer.from(JSON.stringify(body)),
});

const comment = (): Sent => json("/comments.json", { comment: { post_id: post.id, body: "I was here." } });

/** Sends a request without the end of its body, which follows once something has happened. @returns the response */
async function sendLate({ path, type, body }: Sent, headers: string[], happens: () => Promise<unknown>) {
  const client = await RawClient.connect(test.url);
  opened.push(client);
  const { host } = new URL(test.url);
  const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, `Content-Type: ${type}`, `Content-Length: ${body.length}`];
  const text = body.toString("latin1");
  client.say(`${[...head, ...headers].join("\r\n")}\r\n\r\n`);
  client.say(text.slice(0, -1));
  await sleep(LATE_MS);
  await happens();
  client.say(text.slice(-1));
  await expect.poll(() => client.status || null, { timeout: 10_000 }).not.toBeNull();
  return { status: client.status, text: client.received };
}

const ban = () =>
  admin.client.graphql(`mutation { banUser(input: {userId: ${user.id}, reason: "Spam."}) { ban { id } } }`);

describe("a request whose body ends late", () => {
  it.each<[string, (by: TestUser) => Promise<string[]>, () => Promise<unknown>, string]>([
    ["of a user who is banned meanwhile", async (by) => [basic(by)], ban, "banned"],
    [
      "by a key that is replaced meanwhile",
      async (by) => [basic(by)],
      () => replacePassword(test, user.id, admin.apiKey),
      "authentication",
    ],
    [
      "of a session that ends meanwhile",
      async (by) => {
        const { cookie, csrfToken } = await signIn(test.anonymous, by);
        return [`Cookie: ${cookie}`, `X-CSRF-Token: ${csrfToken}`];
      },
      () => test.board.transact((db) => endSessions(db, user.id)),
      "authentication",
    ],
  ])("is 403 %s", async (_who, headersOf, happens, reason) => {
    user = await test.make.user();
    const answer = await sendLate(comment(), await headersOf(user), happens);
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining(reason)]);
    expect(await test.board.database.comment.count({ where: { creatorId: user.id } })).toBe(0);
  });

  it("is 403 for the file of a user who is banned meanwhile", async () => {
    user = await test.make.user();
    const body = multipart([
      { name: "upload[rating]", content: "s" },
      { name: "upload[tag_string]", content: "sea" },
      { name: "upload[file]", filename: "a.jpg", content: "not a picture" },
    ]);
    const sent = { path: "/uploads.json", type: `multipart/form-data; boundary=${BOUNDARY}`, body };
    const answer = await sendLate(sent, [basic(user)], ban);
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining("banned")]);
  });

  it("is 403 in GraphQL for what the sender's level no longer allows", async () => {
    user = await test.make.user("Moderator");
    const { id: userId } = await test.make.user();
    const query = `mutation { banUser(input: {userId: ${userId}, reason: "Spam."}) { ban { id } } }`;
    const answer = await sendLate(json("/graphql", { query }), [basic(user)], () =>
      test.board.accountAdmin.setLevel(user.name, 20),
    );
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("FORBIDDEN")]);
    expect(await test.board.database.ban.count({ where: { userId } })).toBe(0);
  });
});
