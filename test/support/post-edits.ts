/** Edits of posts over REST, and invariants to check afterwards. */
import { expect } from "vitest";
import type { TestBoard } from "./board.js";
import type { Answer, Params } from "./client.js";
import type { TestPost, TestUser } from "./factory.js";
import { gappyVersions, tracesOf, wrongCounts, wrongTagCounts } from "./traces.js";

export type PostEdits = Awaited<ReturnType<typeof postEdits>>;

/** Helpers for edits by a new Member, unless a test says who else. */
export async function postEdits(test: TestBoard) {
  const member = await test.make.user();

  const edit = (id: number, post: Params, as = member): Promise<Answer> => as.client.put(`/posts/${id}.json`, { post });

  /** The post as a visitor sees it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers freely
  async function show(id: number): Promise<any> {
    return (await test.anonymous.get(`/posts/${id}.json`)).json;
  }

  /** The post's versions, newest first. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers freely
  async function versions(id: number): Promise<any[]> {
    return (await test.anonymous.get("/post_versions.json", { search: { post_id: id } })).json;
  }

  /** A post of 600x600 pixels, which gets no automatic tags, so that its tags are those given. */
  async function plain(tags: string, attributes: Params = {}, by?: TestUser): Promise<TestPost> {
    return test.make.post(tags, { file: await test.make.picture(600, 600), ...attributes }, by);
  }

  /** The tags of a post with the first tags after an edit to the second ones. */
  async function tagsAfter(before: string, tagString: string, more: Params = {}): Promise<string> {
    const { id } = await plain(before);
    const { status, json } = await edit(id, { tag_string: tagString, ...more });
    expect([status, json.success, json.reason]).toEqual([200, true, ""]);
    expect(json.tag_string).toBe((await show(id)).tag_string);
    return json.tag_string as string;
  }

  /** Expects the refusal of a write to the post, and that nothing has changed. */
  async function refused(id: number, work: () => Promise<Answer>, status: number, reason: string): Promise<Answer> {
    const before = [await tracesOf(test), await show(id)];
    const answer = await work();
    expect([answer.status, answer.json.success, answer.json.reason]).toEqual([status, false, reason]);
    expect([await tracesOf(test), await show(id)]).toEqual(before);
    return answer;
  }

  /** Expects the refusal of an edit, and that nothing has changed. */
  const expectRefusal = (id: number, post: Params, status: number, reason: string, as = member): Promise<Answer> =>
    refused(id, () => edit(id, post, as), status, reason);

  /** Invariants: the counters are correct, and versions have no gaps. */
  async function expectTrueCounts(): Promise<void> {
    expect([await wrongCounts(test), await gappyVersions(test)]).toEqual([[], []]);
    await expect.poll(() => wrongTagCounts(test)).toEqual([]);
  }

  return { member, edit, show, versions, plain, tagsAfter, refused, expectRefusal, expectTrueCounts };
}
