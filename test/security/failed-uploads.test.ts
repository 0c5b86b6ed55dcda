/** Files refused while decoding are limited per user and hour, so that nobody can keep the decoders busy. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { jpeg, truncated } from "../support/pictures.js";
import { serving, type Site, startSite } from "../support/site.js";
import { tracesOf, uploadsOf } from "../support/traces.js";

const LIMIT = 3;
const REASON = `hourly limit of ${LIMIT} failed uploads exceeded`;

let test: TestBoard;
let site: Site;
beforeAll(async () => {
  site = await startSite();
  test = await startBoard({ FAILED_UPLOADS_PER_HOUR: String(LIMIT), SOURCE_ALLOW_HOSTS: site.host });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

let seed = 72_000;
const whole = () => jpeg({ width: 200, height: 200, seed: (seed += 1) });
const broken = async () => truncated(await whole());
const upload = (user: TestUser, content: Buffer | string): Promise<Answer> =>
  test.make.upload(user, { file: new Blob([typeof content === "string" ? content : new Uint8Array(content)]) });
const statuses = async (answers: Promise<Answer>[]) => (await Promise.all(answers)).map(({ status }) => status);
const failTimes = async (user: TestUser, count: number) => {
  for (let failed = 0; failed < count; failed += 1) expect((await upload(user, await broken())).status).toBe(420);
};

describe("a user whose files were refused FAILED_UPLOADS_PER_HOUR times", () => {
  it("gets 421 with Retry-After for any further file; other users don't", async () => {
    const [user, other] = [await test.make.user("Contributor"), await test.make.user("Contributor")];
    await failTimes(user, LIMIT);
    const before = await tracesOf(test);
    const refused = await upload(user, await whole());
    expect(refused).toMatchObject({ status: 421, json: { success: false, reason: REASON } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3000);
    expect((await tracesOf(test)).files).toEqual(before.files);
    const [last] = await uploadsOf(test, user.id).then((rows) => rows.slice(-1));
    expect(last).toMatchObject({ status: `error: ${REASON}` });
    expect((await upload(other, await whole())).status).toBe(200);
  });

  it("gets 421 as well when the files are sent concurrently", async () => {
    const user = await test.make.user("Contributor");
    const files = await Promise.all(Array.from({ length: 8 }, broken));
    const answers = await statuses(files.map((file) => upload(user, file)));
    expect(answers.filter((status) => status === 420)).toHaveLength(LIMIT);
    expect(answers.filter((status) => status === 421)).toHaveLength(8 - LIMIT);
  });

  it("can't replace a file by a new source either, which is stored as text", async () => {
    const user = await test.make.user("Contributor");
    const { post_id: id } = (await upload(user, await whole())).json as { post_id: number };
    const md5 = async () => (await user.client.get(`/posts/${id}.json`)).json.md5;
    const first = await md5();
    for (let failed = 0; failed < LIMIT; failed += 1) {
      site.pages.set(`/broken-${failed}.jpg`, serving(await broken(), "image/jpeg"));
      const source = `${site.url}/broken-${failed}.jpg`;
      expect((await user.client.put(`/posts/${id}.json`, { post: { source } })).status).toBe(200);
    }
    site.pages.set("/whole.jpg", serving(await whole(), "image/jpeg"));
    await user.client.put(`/posts/${id}.json`, { post: { source: `${site.url}/whole.jpg` } });
    expect(await md5()).toBe(first);
    expect((await upload(user, await whole())).status).toBe(421);
  });
});

describe("not counted are", () => {
  it("accepted files, duplicates, and files that are not pictures", async () => {
    const user = await test.make.user("Contributor");
    const known = await whole();
    expect((await upload(user, known)).status).toBe(200);
    for (let tries = 0; tries <= LIMIT; tries += 1) {
      expect((await upload(user, known)).status).toBe(423);
      expect((await upload(user, `text ${tries}`)).status).toBe(420);
    }
    expect((await upload(user, await whole())).status).toBe(200);
  });

  it("files of Admins; Moderators are limited", async () => {
    const [admin, moderator] = [await test.make.user("Admin"), await test.make.user("Moderator")];
    await failTimes(admin, LIMIT + 1);
    expect((await upload(admin, await whole())).status).toBe(200);
    await failTimes(moderator, LIMIT);
    expect((await upload(moderator, await whole())).status).toBe(421);
  });
});
