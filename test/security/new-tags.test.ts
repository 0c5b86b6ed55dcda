/** Tags that edits and uploads create, which are permanent. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { jpeg } from "../support/pictures.js";

const LIMIT = 500;

let test: TestBoard;
let post: number;
beforeAll(async () => {
  test = await startBoard({ NEW_TAGS_PER_HOUR: String(LIMIT), TRUST_PROXY: "1" });
  ({ id: post } = await test.make.post());
});
afterAll(() => test[Symbol.asyncDispose]());

let serial = 0;
const newTags = (count: number): string => Array.from({ length: count }, () => `new_${(serial += 1)}`).join(" ");
const edit = (client: Client, tags: string) => client.put(`/posts/${post}.json`, { post: { tag_string: tags } });
const tagCount = () => test.board.database.tag.count();

let addresses = 0;
const at = ({ client }: TestUser, address = `198.51.100.${(addresses += 1)}`): Client =>
  client.with({ "x-forwarded-for": address });

/** A user whose account is older than a week. */
async function oldUser(level?: Parameters<typeof test.make.user>[0]): Promise<TestUser> {
  const user = await test.make.user(level);
  await test.board.database.user.update({ where: { id: user.id }, data: { createdAt: new Date("2020-01-01") } });
  return user;
}

describe("new tags", () => {
  it("421 for an edit that would create more than NEW_TAGS_PER_HOUR; nothing is written, and smaller edits are accepted", async () => {
    const client = at(await oldUser());
    expect((await edit(client, newTags(LIMIT - 100))).status).toBe(200);
    const [tags, before] = [await tagCount(), await test.anonymous.get(`/posts/${post}.json`)];
    const refused = await edit(client, newTags(101));
    expect([refused.status, refused.json.reason]).toEqual([421, `hourly limit of ${LIMIT} new tags exceeded`]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_500);
    expect([await tagCount(), (await test.anonymous.get(`/posts/${post}.json`)).json]).toEqual([tags, before.json]);
    expect((await edit(client, newTags(100))).status).toBe(200);
    expect((await edit(client, newTags(21))).status).toBe(421);
    expect((await edit(client, newTags(20))).status).toBe(200); // as many as those of ordinary edits
  });

  it("existing tags don't count", async () => {
    const client = at(await oldUser());
    expect((await edit(client, newTags(LIMIT))).status).toBe(200);
    expect((await edit(client, "new_1 new_2 new_3")).status).toBe(200);
  });

  it("are limited when edits are sent concurrently", async () => {
    const client = at(await oldUser());
    const before = await tagCount();
    const posts = await Promise.all(Array.from({ length: 6 }, () => test.make.post()));
    const answers = await Promise.all(
      posts.map(({ id }) => client.put(`/posts/${id}.json`, { post: { tag_string: newTags(200) } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect((await tagCount()) - before).toBe(400);
  });

  it("of uploads count too", async () => {
    const client = at(await oldUser());
    const upload = async (tags: string) =>
      client.post("/uploads.json", { upload: { file: new Blob([await jpeg()]), rating: "s", tag_string: tags } });
    const before = await tagCount();
    expect((await upload(newTags(LIMIT + 1))).status).toBe(421);
    expect(await tagCount()).toBe(before);
  });

  it("are a fifth in an account's first week, and all such accounts of one address share the limit", async () => {
    const address = "203.0.113.7";
    const statuses = [];
    for (let count = 0; count < 6; count += 1) {
      const client = at(await test.make.user(), address);
      expect((await edit(client, newTags(LIMIT / 5 + 1))).status).toBe(421);
      statuses.push((await edit(client, newTags(LIMIT / 5))).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 421]);
    expect((await edit(at(await oldUser(), address), newTags(LIMIT))).status).toBe(200);
  });

  it("are not limited from Builder on", async () => {
    expect((await edit(at(await test.make.user("Builder")), newTags(LIMIT + 1))).status).toBe(200);
  });
});
