import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { liftExpiredBans } from "../../src/runtime/auth/expired-bans.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { holdRow } from "../support/held-table.js";

let test: TestBoard;
let moderator: TestUser;
let admin: TestUser;
beforeAll(async () => {
  test = await startBoard();
  moderator = await test.make.user("Moderator");
  admin = await test.make.user("Admin");
});
afterAll(() => test[Symbol.asyncDispose]());

const DAY = 86_400_000;

async function run(by: TestUser, mutation: "banUser" | "unbanUser", input: Params) {
  const { json } = await by.client.graphql(
    `mutation($input: ${mutation === "banUser" ? "BanUserInput" : "UnbanUserInput"}!) {
      ${mutation}(input: $input) { ban { id reason expiresAt isExpired bannerName } user { id isBanned } } }`,
    { input },
  );
  const [error] = json.errors ?? [];
  return error ? [error.extensions.status, error.extensions.reason] : json.data[mutation];
}
const ban = (user: TestUser, input: Params = {}, by = moderator) =>
  run(by, "banUser", { userId: user.id, reason: "spam", ...input });
const isBanned = async ({ id }: TestUser) =>
  (await test.board.database.user.findUniqueOrThrow({ where: { id } })).isBanned;
const write = (user: TestUser) =>
  user.client.post("/post_flags.json", { post_flag: { post_id: 999_999, reason: "x" } });

describe("banUser", () => {
  it("stops the user from writing, with feedback and a mod action", async () => {
    const user = await test.make.user();
    const made = await ban(user, { reason: " spam " });
    expect(made).toEqual({
      ban: { id: made.ban.id, reason: "spam", expiresAt: null, isExpired: false, bannerName: moderator.name },
      user: { id: user.id, isBanned: true },
    });
    expect((await write(user)).json.reason).toBe("your account is banned");
    expect((await user.client.get("/posts.json")).status).toBe(200);
    const { userFeedback, modAction } = test.board.database;
    expect(await userFeedback.findMany({ where: { userId: user.id } })).toMatchObject([
      { category: "negative", body: "Banned: spam", creatorId: moderator.id },
    ]);
    expect(await modAction.findMany({ where: { subjectType: "User", subjectId: user.id } })).toMatchObject([
      { category: "user_ban", description: `banned user #${user.id} for ever: spam`, creatorId: moderator.id },
    ]);
  });

  it("ends after its duration", async () => {
    const { ban: made } = await ban(await test.make.user(), { duration: 3 });
    expect(Math.round((new Date(made.expiresAt as string).getTime() - Date.now()) / DAY)).toBe(3);
  });

  it("420 for an invalid reason or duration, 423 if already banned, 404 for an unknown user", async () => {
    const user = await test.make.user();
    expect(await ban(user, { reason: "" })).toEqual([420, "reason can't be blank"]);
    for (const duration of [0, 36_501])
      expect(await ban(user, { duration })).toEqual([420, "duration must be between 1 and 36500"]);
    expect([await isBanned(user), await test.board.database.ban.count({ where: { userId: user.id } })]).toEqual([
      false,
      0,
    ]);
    await ban(user, { duration: 36_500 });
    expect(await ban(user)).toEqual([423, "user is already banned"]);
    expect(await ban({ ...user, id: 999_999 })).toEqual([404, "not found"]);
  });

  it("403 below Moderator, for users of one's own level and above, and for oneself", async () => {
    const [janitor, peer] = [await test.make.user("Janitor"), await test.make.user("Moderator")];
    const denied = [403, "access denied"];
    expect(await ban(await test.make.user(), {}, janitor)).toEqual(denied);
    expect(await ban(peer)).toEqual(denied);
    expect(await ban(admin)).toEqual(denied);
    expect(await ban(moderator)).toEqual(denied);
    expect(await ban(await test.make.user("Admin"), {}, admin)).toEqual(denied);
    expect((await ban(peer, {}, admin)).user.isBanned).toBe(true);
  });
});

describe("unbanUser", () => {
  it("ends the ban, which stays listed, as does one that had ended before", async () => {
    const user = await test.make.user();
    const expiresAt = new Date("2020-01-02");
    const data = { userId: user.id, bannerId: moderator.id, reason: "x", expiresAt };
    const { id } = await test.board.database.ban.create({ data });
    const { ban: made } = await ban(user);
    const ended = await run(moderator, "unbanUser", { userId: user.id });
    expect([ended.ban.id, ended.ban.isExpired, ended.user.isBanned]).toEqual([made.id, true, false]);
    expect(await test.board.database.ban.findUnique({ where: { id } })).toMatchObject({ expiresAt });
    expect((await write(user)).status).toBe(404);
    expect(await run(moderator, "unbanUser", { userId: user.id })).toEqual([420, "user is not banned"]);
  });

  it("403 below Moderator", async () => {
    const user = await test.make.user();
    await ban(user);
    const janitor = await test.make.user("Janitor");
    expect(await run(janitor, "unbanUser", { userId: user.id })).toEqual([403, "access denied"]);
    expect(await isBanned(user)).toBe(true);
  });
});

describe("an expired ban", () => {
  const banned = async (...ends: (Date | null)[]): Promise<TestUser> => {
    const user = await test.make.user();
    await test.board.database.user.update({ where: { id: user.id }, data: { isBanned: true } });
    const rows = ends.map((expiresAt) => ({ userId: user.id, bannerId: admin.id, reason: "x", expiresAt }));
    await test.board.database.ban.createMany({ data: rows });
    return user;
  };
  const past = new Date(Date.now() - DAY);

  it("is over for others even before it is lifted: they see a user who is not banned and may be banned again", async () => {
    const [user, forEver] = [await banned(past), await banned(past, null)];
    const shown = async ({ id }: TestUser) => (await test.anonymous.get(`/users/${id}.json`)).json.is_banned as boolean;
    expect(await Promise.all([user, forEver, await banned()].map(shown))).toEqual([false, true, true]);
    expect(await run(moderator, "unbanUser", { userId: user.id })).toEqual([420, "user is not banned"]);
    expect((await ban(user)).user.isBanned).toBe(true);
    expect(await shown(user)).toBe(true);
  });

  it("is lifted by the user's next request", async () => {
    const user = await banned(past);
    expect((await write(user)).status).toBe(404);
    expect(await isBanned(user)).toBe(false);
  });

  it("is checked without a lock, so that a banned user's requests neither wait nor make others wait", async () => {
    const user = await banned(past, null);
    await using held = await holdRow(test.board.databaseUrl, "users", user.id);
    expect((await write(user)).status).toBe(403);
    expect(await held.waiting()).toBe(0);
  });

  it("refuses none of the user's requests that come at the same time", async () => {
    const user = await banned(past);
    await using held = await holdRow(test.board.databaseUrl, "users", user.id);
    const answers = [write(user), write(user)];
    await expect.poll(() => held.waiting()).toBe(2);
    await held[Symbol.asyncDispose]();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 404]);
  });

  it("is lifted by the job, others aren't", async () => {
    const [over, forEver, both, byHand] = [
      await banned(past),
      await banned(null),
      await banned(past, null),
      await banned(),
    ];
    expect(await liftExpiredBans(test.board.transact)).toBe(1);
    expect(await Promise.all([over, forEver, both, byHand].map(isBanned))).toEqual([false, true, true, true]);
    expect((await write(both)).status).toBe(403);
  });

  it("is lifted by the job without a lock on users who stay banned", async () => {
    const [over, forEver] = [await banned(past), await banned(null)];
    await using held = await holdRow(test.board.databaseUrl, "users", forEver.id);
    expect(await liftExpiredBans(test.board.transact)).toBe(1);
    expect(await held.waiting()).toBe(0);
    expect(await isBanned(over)).toBe(false);
  });
});

describe("GET /bans.json", () => {
  it("lists bans for everybody: by user, banner, reason and end", async () => {
    const user = await test.make.user();
    const { ban: made } = await ban(user, { reason: "Link farm" }, admin);
    const find = async (search: Params) =>
      ((await test.anonymous.get("/bans.json", { search })).json as { id: number }[]).map(({ id }) => id);
    expect(await find({ user_id: user.id })).toEqual([made.id]);
    expect(await find({ user_name: user.name, banner_name: admin.name })).toEqual([made.id]);
    expect(await find({ banner_id: moderator.id, user_id: user.id })).toEqual([]);
    expect(await find({ reason_matches: "link FARM", expired: "no" })).toEqual([made.id]);
    expect(await find({ user_id: user.id, expired: "yes" })).toEqual([]);
    const { json } = await test.anonymous.get(`/bans/${made.id}.json`);
    expect(json).toEqual({
      id: made.id,
      user_id: user.id,
      user_name: user.name,
      banner_id: admin.id,
      banner_name: admin.name,
      reason: "Link farm",
      expires_at: null,
      is_expired: false,
      created_at: json.created_at,
      updated_at: json.updated_at,
    });
    const { text } = await test.anonymous.get("/bans.xml", { search: { user_id: user.id } });
    expect(text).toContain('<bans type="array"><ban><id type="integer">');
    expect(text).toContain('<expires-at type="dateTime" nil="true"/>');
  });
});

describe("GET /mod_actions.json", () => {
  it("lists mod actions for everybody: by creator, category, subject and words, newest first", async () => {
    const user = await test.make.user();
    await ban(user, {}, admin);
    await run(admin, "unbanUser", { userId: user.id });
    const find = async (search: Params) =>
      ((await test.anonymous.get("/mod_actions.json", { search })).json as { category: string }[]).map(
        ({ category }) => category,
      );
    const subject = { subject_type: "user", subject_id: user.id };
    expect(await find(subject)).toEqual(["user_unban", "user_ban"]);
    const { json: ofAnyType } = await test.anonymous.graphql(
      `{ modActions(search: { subjectType: "", subjectId: [${user.id}], category: "user_ban" }) { totalCount } }`,
    );
    expect(ofAnyType.data.modActions.totalCount).toBe(1);
    expect(await find({ ...subject, subject_type: "post" })).toEqual([]);
    expect(await find({ ...subject, category: "user_ban" })).toEqual(["user_ban"]);
    expect(await find({ ...subject, creator_name: admin.name, creator_id: admin.id })).toHaveLength(2);
    expect(await find({ ...subject, creator_id: moderator.id })).toEqual([]);
    expect(await find({ description_matches: `UNBANNED user #${user.id}` })).toEqual(["user_unban"]);
    const [latest] = (await test.anonymous.get("/mod_actions.json", { limit: 1 })).json;
    const { json } = await test.anonymous.get(`/mod_actions/${latest.id}.json`);
    expect(json).toEqual({
      id: latest.id,
      creator_id: admin.id,
      creator_name: admin.name,
      category: "user_unban",
      description: `unbanned user #${user.id}`,
      subject_type: "User",
      subject_id: user.id,
      created_at: latest.created_at,
      updated_at: latest.updated_at,
    });
    const { text } = await test.anonymous.get("/mod_actions.xml", { limit: 1 });
    expect(text).toContain('<mod-actions type="array"><mod-action>');
  });
});
