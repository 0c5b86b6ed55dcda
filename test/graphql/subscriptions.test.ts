import { getEventListeners } from "node:events";
import { createClient, type Client } from "graphql-ws";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { expirePosts } from "../../src/resources/posts/post.expiry.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Login } from "../support/client.js";

let test: TestBoard;
const open: Client[] = [];
beforeAll(async () => {
  test = await startBoard();
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.dispose();
  await vi.waitUntil(() => listening(test) === 0, { timeout: 20_000 });
});
afterAll(() => test[Symbol.asyncDispose]());

function connect(login?: Login, headers: Record<string, string> = {}, server = test.url, path = "/graphql"): Client {
  class WithHeaders extends WebSocket {
    constructor(address: string, protocols: string | string[]) {
      super(address, protocols, { headers });
    }
  }
  const client = createClient({
    url: `${server.replace("http", "ws")}${path}`,
    webSocketImpl: WithHeaders,
    retryAttempts: 0,
    ...(login ? { connectionParams: { login: login.name, api_key: login.apiKey } } : {}),
  });
  open.push(client);
  return client;
}

/** How many subscriptions listen to the board's events. */
const listening = ({ board }: TestBoard): number =>
  ["post_created", "post_changed", "comment_created", "note_changed", "dmail_received"].flatMap((type) =>
    getEventListeners(board.events, type),
  ).length;

/**
 * Subscribes, and answers the lists that results and errors come into, once the server has begun to listen or has refused.
 * The protocol does not acknowledge a subscription, so it is the server that is watched.
 */
async function listen(client: Client, query: string, server = test) {
  const heard = { results: [] as unknown[], errors: [] as unknown[], hasEnded: false };
  const before = listening(server);
  client.subscribe(
    { query },
    {
      next: ({ data, errors }) => void (errors ? heard.errors.push(...errors) : heard.results.push(data)),
      error: (error) => void heard.errors.push(...(Array.isArray(error) ? (error as unknown[]) : [error])),
      complete: () => void (heard.hasEnded = true),
    },
  );
  await expect.poll(() => listening(server) > before || heard.errors.length > 0).toBe(true);
  return heard;
}

describe("postCreated", () => {
  it("sends each new post that matches the search", async () => {
    const all = await listen(connect(), "subscription { postCreated { id } }");
    const cats = await listen(connect(), 'subscription { postCreated(tags: "cat -dog rating:s") { id tagString } }');
    const dog = await test.make.post("cat dog");
    const cat = await test.make.post("cat");
    await expect.poll(() => all.results).toEqual([{ postCreated: { id: dog.id } }, { postCreated: { id: cat.id } }]);
    await expect.poll(() => cats.results).toEqual([{ postCreated: { id: cat.id, tagString: "cat lowres" } }]);
  });

  it("takes as many terms as other searches, and sends nothing for a malformed search", async () => {
    const tags = ["bird", ...Array.from({ length: 39 }, (_, index) => `-no${index}`)].join(" ");
    const most = await listen(connect(), `subscription { postCreated(tags: "${tags}") { id } }`);
    const malformed = await listen(connect(), 'subscription { postCreated(tags: "bird) or (bird") { id } }');
    const all = await listen(connect(), "subscription { postCreated { id } }");
    const birds = [await test.make.post("bird"), await test.make.post("bird")].map(({ id }) => ({
      postCreated: { id },
    }));
    await expect.poll(() => [most, all].map(({ results }) => results)).toEqual([birds, birds]);
    expect([most.errors, malformed]).toEqual([[], { results: [], errors: [], hasEnded: false }]);
  });
});

describe("URLs of files", () => {
  it("have the scheme and host that the client of a proxy uses, as in other responses", async () => {
    await using proxied = await startBoard({ TRUST_PROXY: "loopback" });
    const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "board.example" };
    const heard = await listen(
      connect(undefined, headers, proxied.url),
      "subscription { postCreated { fileUrl } }",
      proxied,
    );
    const { id } = await proxied.make.post("cat");
    const shown = await proxied.anonymous.send(`/posts/${id}.json`, { headers });
    expect(shown.json.file_url).toMatch(/^https:\/\/board\.example\/data\//);
    await expect.poll(() => heard.results).toEqual([{ postCreated: { fileUrl: shown.json.file_url } }]);
  });
});

describe("postChanged", () => {
  it("sends each edit, flag and decision about the post, and nothing about others", async () => {
    const [post, other] = [await test.make.post("cat"), await test.make.post("dog")];
    const janitor = await test.make.user("Janitor");
    const member = await test.make.user("Member");
    const query = `subscription { postChanged(postId: ${post.id}) { id rating isFlagged isDeleted } }`;
    const heard = await listen(connect(), query);
    await member.client.put(`/posts/${other.id}.json`, { post: { rating: "e" } });
    await member.client.put(`/posts/${post.id}.json`, { post: { rating: "q" } });
    await expect.poll(() => heard.results.length).toBe(1);
    await member.client.post("/post_flags.json", { post_flag: { post_id: post.id, reason: "Not a cat" } });
    await expect.poll(() => heard.results.length).toBe(2);
    await janitor.client.graphql(
      `mutation { deletePost(input: { id: ${post.id}, reason: "Not a cat" }) { post { id } } }`,
    );
    const state = { id: post.id, rating: "QUESTIONABLE", isFlagged: false, isDeleted: false };
    await expect
      .poll(() => heard.results)
      .toEqual([
        { postChanged: state },
        { postChanged: { ...state, isFlagged: true } },
        { postChanged: { ...state, isDeleted: true } },
      ]);
  });
});

describe("postChanged of a post that is expunged", () => {
  it("ends, after the edits before", async () => {
    const post = await test.make.post("cat");
    const admin = await test.make.user("Admin");
    const heard = await listen(connect(), `subscription { postChanged(postId: ${post.id}) { rating } }`);
    await admin.client.put(`/posts/${post.id}.json`, { post: { rating: "q" } });
    await expect.poll(() => heard.results).toEqual([{ postChanged: { rating: "QUESTIONABLE" } }]);
    expect(heard.hasEnded).toBe(false);
    await admin.client.graphql(`mutation { expungePost(input: { id: ${post.id} }) { postId } }`);
    await expect.poll(() => heard.hasEnded).toBe(true);
    expect(heard.results.length).toBe(1);
  });
});

describe("postChanged and noteChanged", () => {
  it("are sent for indirect changes: of a post's children, by copied notes, and by expiry after three days", async () => {
    const [post, parent] = [await test.make.post(), await test.make.post()];
    const admin = await test.make.user("Admin");
    const client = connect();
    const posts = await listen(client, `subscription { postChanged(postId: ${post.id}) { parent { id } isDeleted } }`);
    const notes = await listen(client, `subscription { noteChanged(postId: ${post.id}) { body } }`);
    await admin.client.put(`/posts/${parent.id}.json`, { post: { tag_string: `child:${post.id}` } });
    await expect.poll(() => posts.results).toEqual([{ postChanged: { parent: { id: parent.id }, isDeleted: false } }]);
    const note = { post_id: parent.id, x: 1, y: 1, width: 9, height: 9, body: "well" };
    await admin.client.post("/notes.json", { note });
    await admin.client.put(`/posts/${parent.id}/copy_notes.json`, { other_post_id: post.id });
    await expect.poll(() => notes.results).toEqual([{ noteChanged: { body: "well" } }]);
    await admin.client.graphql(`mutation { expungePost(input: { id: ${parent.id} }) { postId } }`);
    await expect.poll(() => posts.results.slice(1)).toEqual([{ postChanged: { parent: null, isDeleted: false } }]);
    const data = { isPending: true, createdAt: new Date("2020-01-01") };
    await test.board.database.post.update({ where: { id: post.id }, data });
    await expirePosts(test.board);
    await expect.poll(() => posts.results.slice(2)).toEqual([{ postChanged: { parent: null, isDeleted: true } }]);
  });
});

describe("two servers on one database", () => {
  it("receive each other's events", async () => {
    await using other = await startBoard({ DATABASE_URL: test.board.databaseUrl });
    const heard = await listen(connect(undefined, {}, other.url), "subscription { postCreated { id } }", other);
    const post = await test.make.post();
    await expect.poll(() => heard.results).toEqual([{ postCreated: { id: post.id } }]);
  });
});

describe("commentCreated and noteChanged", () => {
  it("are sent for the given post only", async () => {
    const [post, other] = [await test.make.post(), await test.make.post()];
    const client = connect();
    const comments = await listen(
      client,
      `subscription { commentCreated(postId: ${post.id}) { body creator { name } } }`,
    );
    const notes = await listen(client, `subscription { noteChanged(postId: ${post.id}) { body isActive version } }`);
    const member = await test.make.user();
    for (const { id } of [other, post]) {
      await member.client.post("/comments.json", { comment: { post_id: id, body: "well" } });
      const note = { post_id: id, x: 0, y: 0, width: 5, height: 5, body: "here" };
      const { json } = await member.client.post("/notes.json", { note });
      await member.client.delete(`/notes/${json.id}.json`);
    }
    await expect
      .poll(() => comments.results)
      .toEqual([{ commentCreated: { body: "well", creator: { name: member.name } } }]);
    await expect
      .poll(() => notes.results)
      .toMatchObject([
        { noteChanged: { body: "here" } },
        { noteChanged: { body: "here", isActive: false, version: 2 } },
      ]);
  });
});

describe("dmailReceived", () => {
  const query = "subscription { dmailReceived { title isRead } }";

  it("is sent only to the recipient, and leaves the dmail unread", async () => {
    const [recipient, sender] = [await test.make.user(), await test.make.user()];
    const admin = await test.make.user("Admin");
    const mine = await listen(connect(recipient), query);
    const others = [await listen(connect(sender), query), await listen(connect(admin), query)];
    const dmail = { to_name: recipient.name, title: "hello", body: "there" };
    expect((await sender.client.post("/dmails.json", { dmail })).status).toBe(200);
    await expect.poll(() => mine.results).toEqual([{ dmailReceived: { title: "hello", isRead: false } }]);
    expect(others.map(({ results }) => results)).toEqual([[], []]);
  });

  it("is no longer sent to a user who was banned meanwhile", async () => {
    const [recipient, sender] = [await test.make.user(), await test.make.user()];
    const heard = await listen(connect(recipient), query);
    await test.board.database.user.update({ where: { id: recipient.id }, data: { isBanned: true } });
    const posts = await listen(connect(), "subscription { postCreated { id } }");
    await sender.client.post("/dmails.json", { dmail: { to_name: recipient.name, title: "a", body: "b" } });
    await test.make.post(); // what is told in order after it has been told
    await expect.poll(() => posts.results.length).toBe(1);
    expect(heard.results).toEqual([]);
  });

  it("is refused to visitors", async () => {
    const { errors } = await listen(connect(), query);
    expect(errors).toMatchObject([{ extensions: { code: "FORBIDDEN", reason: "login required" } }]);
  });
});

describe("a connection", () => {
  it.each(["/graphql/", "/GraphQL", "/graphql?v=1"])(
    "is accepted at every path at which requests are: %s",
    async (path) => {
      const heard = await listen(connect(undefined, {}, test.url, path), "subscription { postCreated { id } }");
      const { id } = await test.make.post();
      await expect.poll(() => heard.results).toEqual([{ postCreated: { id } }]);
    },
  );

  it("is refused at other paths", async () => {
    const { errors } = await listen(connect(undefined, {}, test.url, "/posts"), "subscription { postCreated { id } }");
    expect(errors).toMatchObject([{ message: "Unexpected server response: 400" }]);
  });

  it("is refused with a wrong key", async () => {
    const user = await test.make.user();
    const { errors } = await listen(
      connect({ name: user.name, apiKey: "wrong" }),
      "subscription { postCreated { id } }",
    );
    expect(errors).toMatchObject([{ code: 4403 }]);
  });

  it("accepts neither queries nor mutations", async () => {
    const { errors, results } = await listen(connect(), "{ posts { nodes { id } } }");
    expect(results).toEqual([]);
    expect(errors).toMatchObject([{ message: "only subscriptions are taken here" }]);
  });

  it("accepts session cookies only from a page of this site", async () => {
    const user = await test.make.user();
    const signedIn = await test.anonymous.post("/session.json", { name: user.name, password: user.password });
    const cookie = signedIn.headers
      .getSetCookie()
      .map((each) => each.split(";")[0])
      .join("; ");
    const query = "subscription { dmailReceived { title } }";
    const own = await listen(connect(undefined, { cookie, origin: test.url }), query);
    const foreign = await listen(connect(undefined, { cookie, origin: "https://elsewhere.example" }), query);
    expect(own.errors).toEqual([]);
    expect(foreign.errors).toMatchObject([{ extensions: { code: "FORBIDDEN" } }]);
  });

  it("has a limited number of subscriptions", async () => {
    const client = connect();
    const query = "subscription { postCreated { id } }";
    for (let count = 0; count < 20; count += 1) expect((await listen(client, query)).errors).toEqual([]);
    const { errors } = await listen(client, query);
    expect(errors).toMatchObject([{ message: "too many subscriptions" }]);
  });
});
