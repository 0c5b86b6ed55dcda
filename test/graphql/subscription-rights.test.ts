/** What each kind of viewer receives by subscriptions, also after a right has ended. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { type BoardEvent, notify } from "../../src/runtime/events/events.js";
import { SUBSCRIPTIONS } from "../../src/resources/permissions.js";
import { permits, type Role, ROLES } from "../../scripts/roles.js";
import { endSessions } from "../../src/resources/session/session.service.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import { Listener, type Pilots, type Subscription } from "../support/listener.js";
import { Viewers } from "../support/permission-walk.js";
import { signIn, signInByGraphQL } from "../support/session.js";
import { makeStage, type Stage } from "../support/stage.js";

interface Post {
  id: number;
  fileUrl: string | null;
  isDeleted: boolean;
}
interface Comment {
  id: number;
  body: string;
}

let test: TestBoard;
let stage: Stage;
let viewers: Viewers;
/** records that everybody may see, by the event */
let pilots: Record<"post_created" | "post_changed" | "comment_created" | "note_changed", Pilots>;
beforeAll(async () => {
  test = await startBoard();
  stage = await makeStage(test);
  viewers = await Viewers.make(test);
  const about = stage.records.posts;
  const pilot = async (type: BoardEvent["type"], make: () => Promise<number>): Promise<Pilots> => [
    { type, id: await make(), about },
    { type, id: await make(), about },
  ];
  pilots = {
    post_created: await pilot("post_created", () => stage.anotherPost()),
    post_changed: await pilot("post_changed", () => stage.anotherPost()),
    comment_created: await pilot("comment_created", () => stage.another("comments")),
    note_changed: await pilot("note_changed", () => stage.another("notes")),
  };
}, 60_000);
afterAll(() => test[Symbol.asyncDispose]());

const tell = (type: BoardEvent["type"], id: number, about = stage.records.posts) =>
  notify(test.board.database, { type, id, about });

/** For what happens soon, on a machine that is busy too. */
const PATIENCE = { timeout: 20_000 };

const POSTS = "subscription { postCreated { id fileUrl isDeleted } }";
const COMMENTS = "subscription { commentCreated { id body } }";
const MAIL = "subscription { dmailReceived { id } }";

/** What each kind of viewer heard of the events, by the kind. */
async function heardByAll<T extends { id: number }>(
  query: string,
  pilotsOf: (role: Role) => Promise<Pilots> | Pilots,
  happen: () => Promise<unknown>,
): Promise<[Role, T[] | number | undefined][]> {
  const listeners = ROLES.map((role) => new Listener(test, loginOf(viewers.userOf(role))));
  const heard = await Promise.all(
    ROLES.map(async (role, index) => (listeners[index] as Listener).listen<T>(query, await pilotsOf(role))),
  );
  await happen();
  await Promise.all(heard.filter(({ errors }) => errors.length === 0).map((each) => each.caughtUp()));
  await Promise.all(listeners.map((each) => each[Symbol.asyncDispose]()));
  return ROLES.map((role, index) => [role, outcomeOf(heard[index] as Subscription<T>)]);
}

const loginOf = (user: TestUser | null) => (user ? { login: user } : {});

/** The records, or the status of a refusal. */
const outcomeOf = <T extends { id: number }>({ errors, results }: Subscription<T>): T[] | number | undefined =>
  errors.length > 0 ? errors[0]?.extensions?.status : results;

const forEach = <T>(expected: (role: Role) => T): [Role, T][] => ROLES.map((role) => [role, expected(role)]);

describe("postCreated", () => {
  it("sends every post to everybody, but a banned post's file only from Gold on", async () => {
    const [banned, deleted] = [
      await stage.anotherPost({ is_banned: true }),
      await stage.anotherPost({ is_deleted: true }),
    ];
    const heard = await heardByAll<Post>(
      POSTS,
      () => pilots.post_created,
      async () => [await tell("post_created", banned), await tell("post_created", deleted)],
    );
    const file = expect.stringContaining("/data/") as string;
    const seesBanned = (role: Role) => permits({ minimum: "gold" }, role, false);
    expect(heard).toEqual(
      forEach((role) => [
        { id: banned, fileUrl: seesBanned(role) ? file : null, isDeleted: false },
        { id: deleted, fileUrl: file, isDeleted: true },
      ]),
    );
  });
});

describe("postChanged", () => {
  it("notifies everybody, but of a banned post's file only Gold users and above", async () => {
    const banned = await stage.anotherPost({ is_banned: true });
    const heard = await heardByAll<Post>(
      `subscription { postChanged(postId: ${stage.records.posts}) { id fileUrl isDeleted } }`,
      () => pilots.post_changed,
      () => tell("post_changed", banned),
    );
    const seesBanned = (role: Role) => permits({ minimum: "gold" }, role, false);
    const file = expect.stringContaining("/data/") as string;
    expect(heard).toEqual(
      forEach((role) => [{ id: banned, fileUrl: seesBanned(role) ? file : null, isDeleted: false }]),
    );
  });
});

describe("commentCreated", () => {
  it("sends the text of a comment deleted meanwhile only to Janitors and above, and to its author", async () => {
    const member = viewers.userOf("member")?.id;
    const others = await stage.another("comments", { is_deleted: true, body: "rude" });
    const own = await stage.another("comments", { is_deleted: true, body: "mine", creator_id: member });
    const heard = await heardByAll<Comment>(
      COMMENTS,
      () => pilots.comment_created,
      async () => [await tell("comment_created", others), await tell("comment_created", own)],
    );
    const sees = (role: Role) => permits({ minimum: "janitor" }, role, false);
    expect(heard).toEqual(
      forEach((role) => [
        { id: others, body: sees(role) ? "rude" : "" },
        { id: own, body: sees(role) || role === "member" ? "mine" : "" },
      ]),
    );
  });
});

describe("noteChanged", () => {
  it("is sent to everybody, for deleted notes too", async () => {
    const note = await stage.another("notes", { is_active: false, body: "gone" });
    const heard = await heardByAll<{ id: number }>(
      `subscription { noteChanged(postId: ${stage.records.posts}) { id isActive body } }`,
      () => pilots.note_changed,
      () => tell("note_changed", note),
    );
    expect(heard).toEqual(forEach(() => [{ id: note, isActive: false, body: "gone" }]));
  });
});

describe("dmailReceived", () => {
  const dmailTo = (owner: TestUser) => stage.another("dmails", { owner_id: owner.id, to_id: owner.id });

  it("sends members only their own dmails, whatever the level, and refuses visitors and banned users", async () => {
    const own = new Map<Role, number>();
    const pilotsOf = async (role: Role): Promise<Pilots> => {
      const owner = viewers.userOf(role) ?? stage.bystander;
      const pilot = async () => ({ type: "dmail_received", id: await dmailTo(owner), about: owner.id }) as const;
      return [await pilot(), await pilot()];
    };
    const happen = async () => {
      for (const role of ROLES) {
        const owner = viewers.userOf(role) ?? stage.bystander;
        own.set(role, await dmailTo(owner));
        await tell("dmail_received", own.get(role) ?? 0, owner.id);
      }
    };
    const heard = await heardByAll<{ id: number }>(MAIL, pilotsOf, happen);
    const hears = (role: Role) => permits(SUBSCRIPTIONS.dmailReceived ?? { minimum: "admin" }, role, true);
    expect(heard).toEqual(forEach((role) => (hears(role) ? [{ id: own.get(role) }] : 403)));
  });
});

describe("a viewer whose rights change", () => {
  const change = (user: TestUser, data: { isBanned?: boolean; level?: number; isDeleted?: boolean }) =>
    test.board.database.user.update({ where: { id: user.id }, data });

  it("no longer sees banned posts' files while banned, and sees them again afterwards", async () => {
    const gold = await test.make.user("Gold");
    const banned = await stage.anotherPost({ is_banned: true });
    await using listener = new Listener(test, { login: gold });
    const heard = await listener.listen<Post>(POSTS, pilots.post_created);
    for (const isBanned of [false, true, false]) {
      await change(gold, { isBanned });
      await tell("post_created", banned);
      await heard.caughtUp();
    }
    expect(heard.results.map(({ fileUrl }) => fileUrl !== null)).toEqual([true, false, true]);
  });

  it("no longer sees deleted comments when the level falls", async () => {
    const janitor = await test.make.user("Janitor");
    const deleted = await stage.another("comments", { is_deleted: true, body: "rude" });
    await using listener = new Listener(test, { login: janitor });
    const heard = await listener.listen<Comment>(COMMENTS, pilots.comment_created);
    for (const level of [35, 20]) {
      await change(janitor, { level });
      await tell("comment_created", deleted);
      await heard.caughtUp();
    }
    expect(heard.results.map(({ body }) => body)).toEqual(["rude", ""]);
  });

  it.each<[string, (user: TestUser) => Promise<unknown>]>([
    ["is closed", (user) => change(user, { isDeleted: true })],
    [
      "gets another password",
      ({ id }) => test.board.database.user.update({ where: { id }, data: { passwordHash: stage.owner.apiKey } }),
    ],
  ])("gets no more events when the account %s, and the connection is closed", async (_, end) => {
    const user = await test.make.user();
    await using listener = new Listener(test, { login: user });
    const heard = await listener.listen<Post>(POSTS, pilots.post_created);
    await end(user);
    await tell("post_created", await stage.anotherPost());
    await expect.poll(() => listener.closed, PATIENCE).toBe(4403);
    expect(heard.results).toEqual([]);
  });

  it("is disconnected on signing out; subscriptions by a key or another session continue", async () => {
    const user = await test.make.user();
    const [session, elsewhere] = [await signIn(test.anonymous, user), await signIn(test.anonymous, user)];
    await using page = new Listener(test, { headers: { cookie: session.cookie, origin: test.url } });
    await using otherPage = new Listener(test, { headers: { cookie: elsewhere.cookie, origin: test.url } });
    await using program = new Listener(test, { login: user });
    await page.listen<Post>(POSTS, pilots.post_created);
    const heard = await program.listen<Post>(POSTS, pilots.post_created);
    const heardElsewhere = await otherPage.listen<Post>(POSTS, pilots.post_created);
    const headers = { "x-csrf-token": session.csrfToken };
    expect((await session.client.with(headers).delete("/session.json")).status).toBe(200);
    await expect.poll(() => page.closed, PATIENCE).toBe(4403);
    const post = await stage.anotherPost();
    await tell("post_created", post);
    await heard.caughtUp();
    await heardElsewhere.caughtUp();
    for (const each of [heard, heardElsewhere]) expect(each.results.map(({ id }) => id)).toEqual([post]);
    expect([program.closed, otherPage.closed]).toEqual([null, null]);
    // the cookie of the session that has ended listens as a visitor
    await using later = new Listener(test, { headers: { cookie: session.cookie, origin: test.url } });
    const { errors } = await later.listen("subscription { dmailReceived { id } }", pilots.post_created);
    expect(errors).toMatchObject([{ extensions: { code: "FORBIDDEN", reason: "login required" } }]);
  });

  it("is authenticated by the secure cookie behind an HTTPS proxy that rewrites Host", async () => {
    await using proxied = await startBoard({ TRUST_PROXY: "1" });
    const user = await proxied.make.user();
    const https = {
      "x-forwarded-proto": "https",
      "x-forwarded-host": "board.example",
      "x-forwarded-for": "198.51.100.9",
    };
    const { cookie } = await signInByGraphQL(proxied.anonymous.with(https), user);
    expect(cookie).toMatch(/^__Host-session=/);
    await using page = new Listener(proxied, { headers: { ...https, cookie, origin: "https://board.example" } });
    const sender = await proxied.make.user();
    for (const title of ["one", "two"])
      await sender.client.post("/dmails.json", { dmail: { to_name: user.name, title, body: "Ahoy." } });
    const mail = await proxied.board.database.dmail.findMany({ where: { ownerId: user.id } });
    const [begin, end] = mail.map(({ id }): BoardEvent => ({ type: "dmail_received", id, about: user.id }));
    const heard = await page.listen(MAIL, [begin, end] as Pilots);
    expect(heard.errors).toEqual([]);
  });

  it.each<[string, (user: TestUser, cookie: string) => Promise<unknown>, boolean]>([
    ["was ended by its user elsewhere", (user) => test.board.transact((db) => endSessions(db, user.id)), true],
    [
      "is the REST interface's own cookies, which are cleared",
      (_user, cookie) => test.anonymous.with({ cookie, origin: test.url }).delete("/session.json"),
      false,
    ],
  ])("is disconnected when the session %s", async (_, end, bySession) => {
    const user = await test.make.user();
    const { cookie: all } = await signIn(test.anonymous, user);
    const [session = "", ...others] = all.split("; ");
    const cookie = bySession ? session : others.join("; ");
    await using page = new Listener(test, { headers: { cookie, origin: test.url } });
    await page.listen<Post>(POSTS, pilots.post_created);
    await end(user, cookie);
    await expect.poll(() => page.closed, PATIENCE).toBe(4403);
  });

  it("gets no more events after 30 days without use of the session, and the connection is closed", async () => {
    const user = await test.make.user();
    const { cookie } = await signIn(test.anonymous, user);
    await using page = new Listener(test, { headers: { cookie, origin: test.url } });
    const heard = await page.listen<Post>(POSTS, pilots.post_created);
    expect(heard.errors).toEqual([]);
    // a minute more: a statement that began just before this one would see the session as alive, and note its use
    await test.board.database.execute(sql`
      UPDATE user_sessions SET last_used_at = now() - interval '30 days 1 minute' WHERE user_id = ${user.id}`);
    const id = await stage.anotherPost();
    const closed = async () => {
      await tell("post_created", id);
      return page.closed;
    };
    await expect.poll(closed, PATIENCE).toBe(4403);
    expect(heard.results).toEqual([]);
  });
});
