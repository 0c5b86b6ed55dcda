import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

let test: TestBoard;
let admin: TestUser;
let postId: number;
beforeAll(async () => {
  test = await startBoard({ VERSION_MERGE_MINUTES: "60" });
  admin = await test.make.user("Admin");
  postId = (await test.make.post("harbour")).id;
});
afterAll(() => test[Symbol.asyncDispose]());

/** Each record with a history that can be deleted: its first state, the field that the edits change, and what says that it is deleted. */
const RECORDS: [record: string, first: (name: string) => Params, field: string, deleted: Params][] = [
  ["pool", (name) => ({ name, description: "one" }), "description", { is_deleted: true }],
  ["wiki_page", (title) => ({ title, body: "one" }), "body", { is_deleted: true }],
  ["artist", (name) => ({ name, group_name: "one" }), "group_name", { is_active: false }],
  ["note", () => ({ post_id: postId, x: 1, y: 1, width: 9, height: 9, body: "one" }), "body", { is_active: false }],
];

describe("with VERSION_MERGE_MINUTES", () => {
  it.each(RECORDS)(
    "%s: a delete has a version of its own, whatever the same user edits before and after",
    async (record, first, field, deleted) => {
      const { client } = admin;
      const { id } = (await client.post(`/${record}s.json`, { [record]: first("deleted") })).json as { id: number };
      const edit = (text: string) => client.put(`/${record}s/${id}.json`, { [record]: { [field]: text } });
      await edit("two");
      expect((await client.delete(`/${record}s/${id}.json`)).status).toBe(200);
      for (const text of ["three", "four"]) expect((await edit(text)).status).toBe(200);
      const versions = await client.get(`/${record}_versions.json`, { search: { [`${record}_id`]: id } });
      expect(versions.json).toMatchObject([
        { version: 3, [field]: "four", ...deleted },
        { version: 2, [field]: "two", ...deleted },
        { version: 1, [field]: "two" },
      ]);
    },
  );

  it.each(RECORDS.slice(0, 2))(
    "%s: a revert has a version of its own, also if it does not restore all of the earlier state",
    async (record, first, field, deleted) => {
      const { client } = admin;
      const other = await test.make.user("Admin");
      const { id } = (await client.post(`/${record}s.json`, { [record]: first("reverted") })).json as { id: number };
      const edit = (text: string) => client.put(`/${record}s/${id}.json`, { [record]: { [field]: text } });
      const versions = async () =>
        (await client.get(`/${record}_versions.json`, { search: { [`${record}_id`]: id } })).json as { id: number }[];
      const [made] = await versions();
      await other.client.put(`/${record}s/${id}.json`, { [record]: { [field]: "two" } });
      expect((await other.client.delete(`/${record}s/${id}.json`)).status).toBe(200);
      const reverted = await client.put(`/${record}s/${id}/revert.json`, { version_id: made?.id ?? 0 });
      expect(reverted.status).toBe(200);
      for (const text of ["three", "four"]) expect((await edit(text)).status).toBe(200);
      expect(await versions()).toMatchObject([
        { version: 5, [field]: "four", ...deleted },
        { version: 4, [field]: "one", ...deleted },
        { version: 3, [field]: "two", ...deleted },
        { version: 2, [field]: "two" },
        { version: 1, [field]: "one" },
      ]);
    },
  );
});
