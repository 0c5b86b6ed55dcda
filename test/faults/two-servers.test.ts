/** Two servers on one database and one folder: each sees the other's changes. */
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";
import { createDatabase, type TestDatabase } from "../support/database.js";
import type { TestUser } from "../support/factory.js";
import { Folder } from "../support/folder.js";
import { approve, statusOf, versionsOf } from "../support/jobs.js";
import { tally, times } from "../support/processes.js";
import { Listener } from "../support/listener.js";
import { replacePassword, signIn } from "../support/session.js";
import { wrongCounts, wrongTagCounts } from "../support/traces.js";

const SETTINGS = {
  LIMITS_STORE: "postgres",
  LIMIT_GOLD: "40",
  LOGIN_ATTEMPTS_PER_HOUR: "6",
  JOBS: "true",
  TRUST_PROXY: "1",
};

let database: TestDatabase;
let folder: Folder;
let [one, other]: TestBoard[] = [];
beforeAll(async () => {
  database = await createDatabase();
  folder = await Folder.make();
  const settings = { ...SETTINGS, DATABASE_URL: database.url, DATA_DIR: folder.at("data") };
  one = await startBoard(settings);
  other = await startBoard(settings);
});
afterAll(async () => {
  await one?.[Symbol.asyncDispose]();
  await other?.[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
  await database.drop();
});

const first = () => one as TestBoard;
const second = () => other as TestBoard;
/** The same client at the second server. */
const there = (client: Client): Client => Object.assign(Object.create(client) as Client, { url: second().url });
const addUser = (level: Parameters<TestBoard["make"]["user"]>[0]): Promise<TestUser> => first().make.user(level);

/** Asks both servers at once, by turns. */
const both = (count: number, client: Client, ask: (client: Client) => Promise<Answer>): Promise<Answer[]> =>
  times(count, (index) => ask(index % 2 ? client : there(client)));

describe("limits", () => {
  it("allow exactly an hour's requests at both together", async () => {
    const { client } = await addUser("Gold");
    const answers = await both(60, client, (each) => each.get("/tags.json"));
    expect(tally(answers)).toEqual({ 200: 40, 421: 20 });
  });

  it("refuse logins after failures at both", async () => {
    const { name } = await addUser("Member");
    const client = first().anonymous.with({ "x-forwarded-for": "198.51.100.7" });
    const statuses: number[] = [];
    for (let guess = 0; guess < 8; guess += 1) {
      const at = guess % 2 ? client : there(client);
      statuses.push((await at.post("/session.json", { name, password: "guess" })).status);
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 403, 421, 421]);
  });
});

describe("an account", () => {
  it("that signs in at one is signed in at the other, until its password changes", async () => {
    const user = await addUser("Member");
    const session = await signIn(first().anonymous, user);
    const me = async () => (await there(session.client).get("/profile.json")).status;
    expect(await me()).toBe(200);
    const { passwordHash } = await first().board.users.create({ name: "other_x", password: "another password" });
    await replacePassword(first(), user.id, passwordHash);
    expect(await me()).toBe(403);
    expect((await there(user.client).get("/profile.json")).status).toBe(403);
  });

  it("whose session is ended at one is signed out at the other, where its connections are closed", async () => {
    const user = await addUser("Member");
    const [here, elsewhere] = [await signIn(first().anonymous, user), await signIn(first().anonymous, user)];
    const headers = { cookie: here.cookie, origin: second().url };
    await using page = new Listener(second(), { headers });
    const pilot = { type: "post_created", id: (await first().make.post()).id, about: 0 } as const;
    await page.listen("subscription { postCreated { id } }", [pilot, pilot]);
    const { status } = await here.client.with({ "x-csrf-token": here.csrfToken }).delete("/session.json");
    expect(status).toBe(200);
    await expect.poll(() => page.closed).toBe(4403);
    const answers = [here, elsewhere].map(({ client }) => there(client).get("/profile.json"));
    expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual([403, 200]);
  });

  it("that is banned at one is refused by the other immediately", async () => {
    const [user, moderator] = [await addUser("Member"), await addUser("Moderator")];
    const post = await first().make.post();
    const comment = () => there(user.client).post("/comments.json", { comment: { post_id: post.id, body: "words" } });
    expect((await comment()).status).toBe(200);
    const ban = `mutation($input: BanUserInput!) { banUser(input: $input) { user { isBanned } } }`;
    const { json } = await moderator.client.graphql(ban, { input: { userId: user.id, reason: "a test" } });
    expect(json.data).toEqual({ banUser: { user: { isBanned: true } } });
    expect((await comment()).status).toBe(403);
  });

  it("is created once when its name is requested at both", async () => {
    const answers = await both(8, first().anonymous, (client) =>
      client.post("/users.json", { user: { name: "twofold", password: "a long password" } }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });
});

describe("a subscription", () => {
  it("receives each event of either server once", async () => {
    const user = await addUser("Contributor");
    const ask = async (at: TestBoard) => {
      const client = createClient({
        url: `${at.url.replace("http", "ws")}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        lazy: false,
      });
      await new Promise((resolve) => client.on("connected", resolve));
      const events = client.iterate<{ postCreated: { id: number } }>({ query: "subscription { postCreated { id } }" });
      const seen: (number | undefined)[] = [];
      void (async () => {
        for await (const { data } of events) seen.push(data?.postCreated.id);
      })();
      return { seen, end: () => client.dispose() };
    };
    const listeners = [await ask(first()), await ask(second())];
    // the protocol does not acknowledge a subscription: posts are made until both hear
    const heard = () => listeners.every(({ seen }) => seen.length > 0);
    await expect.poll(async () => (await first().make.upload(user)) && heard(), { interval: 200 }).toBe(true);
    const before = listeners.map(({ seen }) => seen.length);
    const uploads = [
      await first().make.upload(user),
      await first().make.upload({ ...user, client: there(user.client) }),
    ];
    const ids = uploads.map(({ json }) => json.post_id as number);
    await expect.poll(() => listeners.every(({ seen }) => seen.includes(ids[1]))).toBe(true);
    expect(listeners.map(({ seen }, index) => seen.slice(before[index]).filter((id) => ids.includes(id ?? 0)))).toEqual(
      [ids, ids],
    );
    for (const { end } of listeners) await end();
  });
});

const four = <T>(value: T): T[] => [value, value, value, value];

describe("a server's cache of tags", () => {
  it("is invalidated when the other server changes them", async () => {
    const admin = await addUser("Admin");
    const post = await first().make.post("vessel");
    const search = async (tags: string) => {
      const answers = await both(4, first().anonymous, (client) => client.get("/posts.json", { tags }));
      return answers.map(({ json }) => (json as { id: number }[]).map(({ id }) => id));
    };
    expect(await search("vessel")).toEqual(four([post.id]));
    expect(await search("barge")).toEqual(four([]));
    const id = await approve({ client: there(admin.client) }, "Alias", "barge", "vessel");
    await expect.poll(() => statusOf(first(), "Alias", id)).toBe("active");
    expect(await search("barge")).toEqual(four([post.id]));
    const edit = { post: { tag_string: "lighter" } };
    expect((await there(admin.client).put(`/posts/${post.id}.json`, edit)).status).toBe(200);
    expect(await search("barge")).toEqual(four([]));
    expect(await search("lighter")).toEqual(four([post.id]));
  });
});

describe("jobs", () => {
  it("run once, on either server", async () => {
    const admin = await addUser("Admin");
    const ids: number[] = [];
    for (let count = 0; count < 6; count += 1) ids.push((await first().make.post(`rose thorn_${count}`, {}, admin)).id);
    const relations = await times(6, (index) => {
      const client = index % 2 ? admin.client : there(admin.client);
      return approve({ client }, "Alias", `thorn_${index}`, `spine_${index}`);
    });
    for (const id of relations) await expect.poll(() => statusOf(first(), "Alias", id)).toBe("active");
    expect(await versionsOf(first(), ids)).toEqual(ids.map(() => 2));
  });
});

describe("the same operation sent to both at once", () => {
  it("runs once: an upload, a vote, and edits in some order", async () => {
    const users = await times(8, () => addUser("Contributor"));
    const file = await first().make.picture();
    const at = (index: number) => (index % 2 ? users[index]?.client : there(users[index]?.client as Client)) as Client;
    const upload = { file, rating: "s", tag_string: "shared" };
    const uploads = await times(8, (index) => at(index).post("/uploads.json", { upload }));
    expect(tally(uploads)).toEqual({ 200: 1, 423: 7 });
    const id = uploads.find(({ status }) => status === 200)?.json.post_id as number;

    const votes = await both(6, users[0]?.client as Client, (client) =>
      client.post(`/posts/${id}/votes.json`, { score: "up" }),
    );
    expect(tally(votes)).toEqual({ 200: 1, 423: 5 });

    const edits = await times(8, (index) =>
      at(index).put(`/posts/${id}.json`, { post: { tag_string: `shared by_${index}`, old_tag_string: "shared" } }),
    );
    expect(tally(edits)).toEqual({ 200: 8 });
    const { json } = await first().anonymous.get(`/posts/${id}.json`);
    expect((json.tag_string as string).split(" ").filter((tag) => tag.startsWith("by_"))).toHaveLength(8);
    expect([await wrongCounts(first()), await wrongTagCounts(first())]).toEqual([[], []]);
  });
});
