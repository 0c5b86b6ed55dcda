/** PUT /users/{id}.json and updateSettings: users' own settings. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let user: TestUser;
beforeAll(async () => {
  test = await startBoard({ MAX_POSTS_PER_PAGE: "60" });
  user = await test.make.user("Member", "mira");
});
afterAll(() => test[Symbol.asyncDispose]());

const SETTINGS = {
  email: "mira@example.org",
  blacklisted_tags: "spoilers\nsea rating:e",
  favorite_tags: "ship harbour",
  comment_threshold: -5,
  default_image_size: "original",
  time_zone: "Europe/Berlin",
  per_page: 60,
  enable_private_favorites: true,
};

const put = (settings: Params, by = user, id = user.id) => by.client.put(`/users/${id}.json`, { user: settings });
const stored = (id = user.id) => test.board.database.user.findUniqueOrThrow({ where: { id } });

describe("PUT /users/{id}.json", () => {
  it("changes all settings, and returns the account with them and without its key", async () => {
    const { status, json, text } = await put(SETTINGS);
    const last_logged_in_at = null;
    expect([status, json]).toMatchObject([
      200,
      { success: true, id: user.id, name: "mira", ...SETTINGS, last_logged_in_at },
    ]);
    expect(text).not.toContain(user.apiKey);
    expect((await user.client.get("/profile.json")).json).toMatchObject(SETTINGS);
  });

  it("keeps settings that are not sent, and ignores other fields", async () => {
    const before = await stored();
    const forbidden = { name: "other", level: 50, is_banned: true, base_upload_limit: 9, password: "a new password" };
    const { status } = await put({ ...forbidden, per_page: 30 });
    const after = await stored();
    expect(status).toBe(200);
    expect(after).toEqual({ ...before, perPage: 30, updatedAt: after.updatedAt });
  });

  it("a blank text clears the tags and the mail address", async () => {
    const { json } = await put({ blacklisted_tags: "", favorite_tags: "", email: " " });
    expect(json).toMatchObject({ blacklisted_tags: "", favorite_tags: "", email: null });
  });

  it("returns XML", async () => {
    const { text } = await user.client.put(`/users/${user.id}.xml`, { user: { per_page: 10 } });
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>');
  });

  it.each([
    ["per_page", 0, "must be between 1 and 60"],
    ["per_page", 61, "must be between 1 and 60"],
    ["comment_threshold", -101, "must be between -100 and 5"],
    ["comment_threshold", 6, "must be between -100 and 5"],
    ["default_image_size", "huge", "is invalid"],
    ["time_zone", "Mars/Olympus", "is invalid"],
    ["time_zone", " ", "is invalid"],
    ["email", "nowhere", "is invalid"],
    ["blacklisted_tags", "x".repeat(20_001), "is too long (at most 20000 characters)"],
    ["favorite_tags", "nul\0nul", "is invalid"],
  ])("420 for %s %j, and nothing changes", async (field, value, problem) => {
    const before = await stored();
    const { status, json } = await put({ blacklisted_tags: "changed", [field]: value });
    expect([status, json.errors]).toEqual([420, { [field]: [problem] }]);
    expect(await stored()).toEqual(before);
  });

  it("424 for an invalid number", async () => {
    const { status, json } = await put({ per_page: "many" });
    expect([status, json.reason]).toEqual([424, "user[per_page] is invalid"]);
  });

  it("403 for visitors, and for others' accounts, even as Admin", async () => {
    const admin = await test.make.user("Admin");
    const before = await stored();
    const answers = [
      await put({ per_page: 5 }, admin),
      await test.anonymous.put(`/users/${user.id}.json`, { per_page: 5 }),
    ];
    expect(answers.map(({ status, json }) => [status, json.reason])).toEqual([
      [403, "access denied"],
      [403, "login required"],
    ]);
    expect(await stored()).toEqual(before);
  });

  it("is allowed to banned users", async () => {
    const banned = await test.make.user();
    await test.board.database.user.update({ where: { id: banned.id }, data: { isBanned: true } });
    expect((await put({ blacklisted_tags: "sea" }, banned, banned.id)).status).toBe(200);
  });

  it("private favorites are hidden from others at once", async () => {
    const collector = await test.make.user();
    const { id } = await test.make.post();
    await collector.client.post("/favorites.json", { post_id: id });
    const seen = async () => (await test.anonymous.get(`/posts.json?tags=fav:${collector.name}`)).json.length as number;
    expect(await seen()).toBe(1);
    await put({ enable_private_favorites: true }, collector, collector.id);
    expect(await seen()).toBe(0);
  });
});

describe("updateSettings", () => {
  const UPDATE = `mutation($input: UpdateSettingsInput!) { updateSettings(input: $input) {
    user { name settings { blacklistedTags perPage timeZone enablePrivateFavorites } } } }`;

  it("changes the viewer's settings, without an id", async () => {
    const other = await test.make.user();
    const { json } = await other.client.graphql(UPDATE, { input: { blacklistedTags: "sea", perPage: null } });
    const settings = { blacklistedTags: "sea", perPage: 20, timeZone: "UTC", enablePrivateFavorites: false };
    expect(json.data.updateSettings.user).toEqual({ name: other.name, settings });
  });

  it("is refused with all errors", async () => {
    const { json } = await user.client.graphql(UPDATE, { input: { perPage: 1000, timeZone: "nowhere" } });
    expect(json.errors[0].extensions).toMatchObject({
      status: 420,
      fields: { "input.perPage": ["must be between 1 and 60"], "input.timeZone": ["is invalid"] },
    });
  });

  it("is refused to visitors", async () => {
    const { json } = await test.anonymous.graphql(UPDATE, { input: { perPage: 10 } });
    expect(json.errors[0].extensions).toMatchObject({ status: 403, reason: "login required" });
  });
});
