/** Two servers, a primary and a lagging replica: others may see older data, a viewer always sees their own writes. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { approve, statusOf } from "../support/jobs.js";
import { tally, times } from "../support/processes.js";
import { noReplicas } from "../support/replica.js";
import { ReplicaStage } from "../support/replica-stage.js";
import { signIn } from "../support/session.js";

const skip = noReplicas ? `, skipped: ${noReplicas}` : "";

let stage: ReplicaStage;
let writer: TestUser;
let post: number;
beforeAll(async () => {
  if (noReplicas) return;
  stage = await ReplicaStage.start({ LIMIT_GOLD: "40", JOBS: "true" });
  writer = await stage.first.make.user("Contributor");
  ({ id: post } = await stage.first.make.post("vessel"));
});
afterAll(() => stage?.[Symbol.asyncDispose]());

const CREATE_COMMENT = `mutation($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }`;

/** Something written, and something that is read differently afterwards: before, and after. */
interface Change {
  write: (client: Client) => Promise<{ status: number; text: string }>;
  read: (client: Client) => Promise<unknown>;
  before: unknown;
  after: unknown;
}

const CHANGES: Record<string, Change> = {
  "PUT /posts/{id}.json, GET /posts/{id}.json": {
    write: (client) => client.put(`/posts/${post}.json`, { post: { source: "by hand" } }),
    read: async (client) => (await client.get(`/posts/${post}.json`)).json.source as string,
    before: "",
    after: "by hand",
  },
  "PUT /posts/{id}.json, GET /posts.json?tags=": {
    write: (client) => client.put(`/posts/${post}.json`, { post: { tag_string: "vessel lighter" } }),
    read: async (client) => ((await client.get("/posts.json", { tags: "lighter" })).json as unknown[]).length,
    before: 0,
    after: 1,
  },
  "POST /comments.json, query posts": {
    write: (client) => client.post("/comments.json", { comment: { post_id: post, body: "words" } }),
    read: async (client) => {
      const { json } = await client.graphql(`{ post(id: ${post}) { comments { body } } }`);
      return json.data.post.comments as unknown;
    },
    before: [],
    after: [{ body: "words" }],
  },
  "mutation createComment, GET /comments.json": {
    write: (client) => client.graphql(CREATE_COMMENT, { input: { postId: post, body: "anchorage" } }),
    read: async (client) => {
      const { json } = await client.get("/comments.json", {
        group_by: "comment",
        search: { body_matches: "anchorage" },
      });
      return (json as { body: string }[]).map(({ body }) => body);
    },
    before: [],
    after: ["anchorage"],
  },
};

const both = <T>(value: T): [T, T] => [value, value];

describe.skipIf(noReplicas)(`a replica that lags${skip}`, () => {
  it.each(Object.entries(CHANGES))("%s", async (_name, { write, read, before, after }) => {
    const readers = [stage.visitor(), await stage.reader()];
    await stage.paused(async () => {
      const { status, text } = await write(writer.client);
      expect([status, text]).toEqual([200, expect.not.stringContaining('errors":[{')]);
      expect(await stage.atBoth(writer.client, read)).toEqual(both(after));
      for (const reader of readers) expect(await stage.atBoth(reader, read)).toEqual(both(before));
    });
    for (const reader of readers) await expect.poll(() => stage.atBoth(reader, read)).toEqual(both(after));
  });

  it("does not hide from an account what it wrote at another address", async () => {
    await stage.paused(async () => {
      const { id } = await stage.first.make.post("vessel", {}, writer);
      const show = async (client: Client) => (await client.get(`/posts/${id}.json`)).status;
      const elsewhere = stage.visitor().as(writer);
      expect(await stage.atBoth(elsewhere, show)).toEqual([200, 200]);
      expect(await stage.atBoth(stage.visitor(), show)).toEqual([404, 404]);
    });
  });

  it("does not hide new accounts from themselves, nor their new levels", async () => {
    const visitor = stage.visitor();
    const user = { name: "newcomer", password: "a long password" };
    await stage.paused(async () => {
      const { id } = (await visitor.post("/users.json", { user })).json as { id: number };
      const show = async (client: Client) => (await client.get(`/users/${id}.json`)).status;
      expect(await stage.atBoth(visitor, show)).toEqual([200, 200]);
      expect(await stage.atBoth(stage.visitor(), show)).toEqual([404, 404]);
      const session = await signIn(visitor, { ...user, id } as TestUser);
      const me = async (client: Client) => (await client.get("/profile.json")).json.id as number;
      expect(await stage.atBoth(session.client, me)).toEqual([id, id]);
    });
  });

  it("does not show a read dmail as unread, although a GET marked it", async () => {
    const reader = await stage.first.make.user("Member");
    const dmail = { to_id: reader.id, title: "a title", body: "a body" };
    expect((await writer.client.post("/dmails.json", { dmail })).status).toBe(200);
    const unread = async (client: Client) => {
      const { json } = await client.get("/dmails.json", { search: { read: false } });
      return (json as { id: number }[]).map(({ id }) => id);
    };
    const [id] = await unread(reader.client);
    await stage.paused(async () => {
      expect((await reader.client.get(`/dmails/${id}.json`)).json).toMatchObject({ id, is_read: true });
      expect(await stage.atBoth(reader.client, unread)).toEqual(both([]));
    });
  });

  it("has its own tag names, which are not confused with the primary's", async () => {
    const admin = await stage.first.make.user("Admin");
    const visitor = stage.visitor();
    const search = async (client: Client) =>
      ((await client.get("/posts.json", { tags: "barge" })).json as unknown[]).length;
    const found = await stage.paused(async () => {
      expect(await stage.atBoth(visitor, search)).toEqual([0, 0]);
      const id = await approve(admin, "Alias", "barge", "vessel");
      await expect.poll(() => statusOf({ ...stage.first, anonymous: admin.client }, "Alias", id)).toBe("active");
      const seen = await stage.atBoth(admin.client, search);
      expect(await stage.atBoth(visitor, search)).toEqual([0, 0]);
      expect(await stage.atBoth(admin.client, search)).toEqual(seen);
      return seen;
    });
    expect(Math.min(...found)).toBeGreaterThan(0);
    await expect.poll(() => stage.atBoth(visitor, search)).toEqual(found);
  });

  it("is not used for limits and sessions", async () => {
    const user = await stage.first.make.user("Gold");
    await stage.paused(async () => {
      const session = await signIn(stage.visitor(), user);
      const me = async (client: Client) => (await client.get("/profile.json")).status;
      expect(await stage.atBoth(session.client, me)).toEqual([200, 200]);
      const answers = await times(29, () => stage.atBoth(user.client, (client) => client.get("/tags.json")));
      expect(tally(answers.flat())).toEqual({ 200: 38, 421: 20 });
    });
  });

  it("is checked for recent writers at most once at a time by each server, however many requests come", async () => {
    const primary = new pg.Client({ connectionString: stage.primary.url });
    await primary.connect();
    await primary.query("BEGIN; LOCK TABLE viewer_writes IN ACCESS EXCLUSIVE MODE");
    const show = (client: Client) => client.get(`/posts/${post}.json`);
    const asked = times(20, () => stage.atBoth(stage.visitor(), show));
    const waiting = "SELECT FROM pg_locks WHERE relation = 'viewer_writes'::regclass AND NOT granted";
    await expect.poll(async () => (await primary.query(waiting)).rowCount).toBe(1);
    await primary.query("COMMIT");
    await primary.end();
    expect(tally((await asked).flat())).toEqual({ 200: 40 });
  });

  it("does not keep the board from forgetting writers after an hour", async () => {
    const kept = () => stage.primary.ask<{ viewer: string }>("SELECT viewer FROM viewer_writes ORDER BY viewer");
    expect(await kept()).toContainEqual({ viewer: `user:${writer.id}` });
    await stage.primary.ask(
      `UPDATE viewer_writes SET written_at = now() - interval '61 minutes' WHERE viewer <> 'user:${writer.id}'`,
    );
    await stage.primary.ask("SELECT graphile_worker.add_job('sweep_limits')");
    await expect.poll(kept).toEqual([{ viewer: `user:${writer.id}` }]);
  });

  it("is not read from while its lag exceeds the maximum, and is read from again afterwards", async () => {
    const visitor = stage.visitor();
    const show = (id: number) => async (client: Client) => (await client.get(`/posts/${id}.json`)).status;
    await stage.paused(async () => {
      const { id } = await stage.first.make.post("vessel", {}, writer);
      expect(await stage.atBoth(visitor, show(id))).toEqual([404, 404]);
      await expect.poll(() => stage.atBoth(visitor, show(id))).toEqual([200, 200]);
    });
    await expect.poll(() => stage.areRead()).toEqual([true, true]);
  });
});
