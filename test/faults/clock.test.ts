/**
 * The clock of the server's machine is set a day forward and a day back, while PostgreSQL's stays as it was. Only `Date` changes,
 * as when the system's clock is set; timers continue normally.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import { approve, statusOf, tagsOf } from "../support/jobs.js";
import { times } from "../support/processes.js";
import { get, RawClient } from "../support/raw-client.js";
import { signIn } from "../support/session.js";
import { gappyVersions, wrongCounts } from "../support/traces.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LIMIT = 30;

/** Sets the clock so many milliseconds on, or back, from what it truly is. */
function setClock(by: number): void {
  vi.useRealTimers();
  if (by === 0) return;
  const RealDate = Date;
  const shifted = class extends RealDate {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(RealDate.now() + by);
      else super(...(args as [number]));
    }
    static override now(): number {
      return RealDate.now() + by;
    }
  };
  vi.stubGlobal("Date", shifted);
}

afterEach(() => void vi.unstubAllGlobals());

describe.each(["memory", "postgres"])("with limits counted in %s", (store) => {
  let test: TestBoard;
  let gold: TestUser;
  let member: TestUser;
  let admin: TestUser;
  beforeAll(async () => {
    test = await startBoard({
      LIMITS_STORE: store,
      LIMIT_GOLD: String(LIMIT),
      LIMIT_PLATINUM: "100000",
      NEW_TAGS_PER_HOUR: String(5 * LIMIT), // for an account in its first week a fifth
      JOBS: "true",
    });
    [member, admin] = [await test.make.user("Contributor"), await test.make.user("Admin")];
  });
  afterAll(() => test[Symbol.asyncDispose]());

  describe.each([
    ["a day on", DAY],
    ["a day back", -DAY],
  ])("a clock that is set %s", (_, by) => {
    it("locks out for at most an hour", async () => {
      gold = await test.make.user("Gold");
      const used = await times(LIMIT + 1, async () => (await gold.client.get("/tags.json")).status);
      expect(used.filter((status) => status === 421)).toHaveLength(1);
      vi.unstubAllGlobals();
      setClock(by);
      const { status, headers } = await gold.client.get("/tags.json");
      // counts in memory go by a clock that is never set; otherwise a new hour begins
      const [expected, remaining] = store === "memory" ? [421, 0] : [200, LIMIT - 1];
      expect(status).toBe(expected);
      expect(headers.get("x-ratelimit-remaining")).toBe(String(remaining));
      const reset = Number(headers.get("x-ratelimit-reset")) * 1000 - Date.now();
      expect(reset).toBeGreaterThanOrEqual(-1000);
      expect(reset).toBeLessThanOrEqual(HOUR + 2000);
    });

    it("counts edited rows for at most an hour", async () => {
      const post = await test.make.post("before");
      const editor = await test.make.user("Member");
      const bringing = async (kind: string) => {
        const tags = Array.from({ length: 25 }, (_unused, number) => `${kind}_${store}_${by}_${number}`).join(" ");
        return (await editor.client.put(`/posts/${post.id}.json`, { post: { tag_string: tags } })).status;
      };
      setClock(by);
      expect(await bringing("first")).toBe(200);
      vi.unstubAllGlobals();
      expect([await bringing("second"), await bringing("third")]).toEqual([200, 421]);
    });

    it("keeps sessions and keys valid, and serves reads, edits and uploads", async () => {
      const session = await signIn(test.anonymous, member);
      const post = await test.make.post("before", {}, member);
      setClock(by);
      expect((await session.client.get("/profile.json")).status).toBe(200);
      expect((await member.client.put(`/posts/${post.id}.json`, { post: { tag_string: "after" } })).status).toBe(200);
      expect((await test.make.upload(member)).status).toBe(200);
      const comment = { comment: { post_id: post.id, body: "words" } };
      expect((await member.client.post("/comments.json", comment)).status).toBe(200);
      const { json } = await test.anonymous.get("/post_versions.json", { search: { post_id: post.id } });
      expect((json as { version: number }[]).map(({ version }) => version)).toEqual([2, 1]);
      expect([await wrongCounts(test), await gappyVersions(test)]).toEqual([[], []]);
    });

    it("runs jobs", async () => {
      const post = await test.make.post(`word_${by < 0 ? "back" : "on"}`);
      setClock(by);
      const [from, to] = by < 0 ? ["word_back", "term_back"] : ["word_on", "term_on"];
      const id = await approve(admin, "Alias", from, to);
      await expect.poll(() => statusOf(test, "Alias", id)).toBe("active");
      expect(await tagsOf(test, [post.id])).toEqual([`lowres ${to}`]);
    });

    it("closes no connection", async () => {
      using client = await RawClient.connect(test.url);
      client.say(get("/tags.json").slice(0, -2));
      setClock(by);
      client.say("\r\n");
      await expect.poll(() => client.status).toBe(200);
      expect(client.isClosed).toBe(false);
    });
  });
});
