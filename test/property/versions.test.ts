/** Histories: after any edits, each version can be reverted to, and none is lost. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";

const RUNS = 20;
const WRITERS = 8;

let test: TestBoard;
let writers: TestUser[];
let admin: TestUser;
let posts: number[];
beforeAll(async () => {
  test = await startBoard();
  writers = await Promise.all(Array.from({ length: WRITERS }, () => test.make.user("Admin")));
  admin = writers[0] as TestUser;
  posts = await Promise.all([1, 2, 3].map(async () => (await test.make.post("one")).id));
});
afterAll(() => test?.[Symbol.asyncDispose]());

interface Version {
  id: number;
  version: number;
}

interface Resource {
  /** the parameter that edits come in */
  name: string;
  /** makes a record. @returns its path, and the number that its versions know it by */
  make(): Promise<{ path: string; id: number }>;
  /** an edit of what reverts restore, and of what they leave alone */
  edits(): Record<string, fc.Arbitrary<Params[string]>>;
  restored: string[];
  kept: string[];
  /** oldest first */
  versions(id: number): Promise<Version[]>;
  /** an edit that no other one of the eight is like, and the field that shows it */
  own(index: number): Params;
}

const made = ({ status, text, json }: Answer): number => {
  if (status !== 200) throw new Error(text);
  return (json as { id: number }).id;
};
const oneOf = (...values: Params[string][]) => fc.constantFrom(...values);
const lines = oneOf("", "a", "b", "a longer text\nof two lines");
const orderBy = { version: "asc" } as const;
let serial = 0;
const fresh = (): string => `name_${(serial += 1)}`;
const make = async (path: string, params: Params) => {
  const id = made(await admin.client.post(`${path}.json`, params));
  return { path: `${path}/${id}`, id };
};
const RESOURCES: Record<string, Resource> = {
  posts: {
    name: "post",
    make: async () => {
      const { id } = await test.make.post("one two");
      return { path: `/posts/${id}`, id };
    },
    edits: () => ({
      tag_string: fc.subarray(["one", "two", "artist:three", "four"]).map((tags) => tags.join(" ") || "none"),
      rating: oneOf("s", "q", "e"),
      source: oneOf("", "https://example.com/1", "somewhere"),
      parent_id: oneOf("", ...posts),
    }),
    restored: ["tag_string", "rating", "source", "parent_id"],
    kept: [],
    versions: (postId) => test.board.database.postVersion.findMany({ where: { postId }, orderBy }),
    own: (index) => ({ old_tag_string: "one two", tag_string: `one two own_${index}` }),
  },
  notes: {
    name: "note",
    make: () => make("/notes", { note: { post_id: posts[0], x: 1, y: 1, width: 5, height: 5, body: "start" } }),
    edits: () => ({
      x: oneOf(0, 1, 9),
      y: oneOf(0, 1),
      width: oneOf(0, 5),
      height: oneOf(5, 30),
      body: oneOf("start", "other"),
      deleted: oneOf(true),
    }),
    restored: ["x", "y", "width", "height", "body", "is_active", "post_id"],
    kept: [],
    versions: (noteId) => test.board.database.noteVersion.findMany({ where: { noteId }, orderBy }),
    own: (index) => ({ body: `own_${index}` }),
  },
  artists: {
    name: "artist",
    make: () => make("/artists", { artist: { name: fresh(), url_string: "https://example.com/start" } }),
    edits: () => ({
      other_names: oneOf("", "bob", "bob rob"),
      group_name: oneOf("", "circle", "Big Circle"),
      url_string: oneOf("", "https://example.com/start", "-https://example.com/start\nhttps://example.org/"),
      is_active: oneOf("true", "false"),
    }),
    restored: ["name", "url_string", "other_names", "group_name", "is_active"],
    kept: ["is_banned"],
    versions: (artistId) => test.board.database.artistVersion.findMany({ where: { artistId }, orderBy }),
    own: (index) => ({ group_name: `own_${index}` }),
  },
  pools: {
    name: "pool",
    make: () => make("/pools", { pool: { name: fresh(), description: "start", post_ids: String(posts[0]) } }),
    edits: () => ({
      description: lines,
      post_ids: fc.shuffledSubarray(posts).map((ids) => ids.join(" ")),
      category: oneOf("series", "collection"),
      deleted: oneOf(true),
    }),
    restored: ["name", "description", "post_ids"],
    kept: ["category", "is_active", "is_deleted"],
    versions: (poolId) => test.board.database.poolVersion.findMany({ where: { poolId }, orderBy }),
    own: (index) => ({ description: `own_${index}` }),
  },
  "wiki pages": {
    name: "wiki_page",
    make: () => make("/wiki_pages", { wiki_page: { title: fresh(), body: "start" } }),
    edits: () => ({
      body: oneOf("start", "a", "b"),
      other_names: oneOf("", "one", "one two"),
      is_locked: oneOf("true", "false"),
      deleted: oneOf(true),
    }),
    restored: ["title", "body", "other_names", "is_locked"],
    kept: ["is_deleted"],
    versions: (wikiPageId) => test.board.database.wikiPageVersion.findMany({ where: { wikiPageId }, orderBy }),
    own: (index) => ({ body: `own_${index}` }),
  },
  commentaries: {
    name: "artist_commentary",
    make: async () => {
      const { id } = await test.make.post("one");
      const first = { artist_commentary: { post_id: id, original_title: "start" } };
      made(await admin.client.post("/artist_commentaries/create_or_update.json", first));
      return { path: `/artist_commentaries/${id}`, id };
    },
    edits: () => ({
      original_title: lines,
      original_description: lines,
      translated_title: lines,
      translated_description: lines,
    }),
    restored: ["original_title", "original_description", "translated_title", "translated_description"],
    kept: ["post_id"],
    versions: (postId) => test.board.database.artistCommentaryVersion.findMany({ where: { postId }, orderBy }),
    own: (index) => ({ original_title: `own_${index}` }),
  },
};

interface Subject {
  path: string;
  id: number;
}

/** Commentaries are shown and written by their post. */
const show = async (resource: Resource, { path, id }: Subject): Promise<Record<string, unknown>> => {
  const shown = resource.name === "artist_commentary" ? `/posts/${id}/artist_commentary` : path;
  const { status, text, json } = await admin.client.get(`${shown}.json`);
  expect([status, text]).toEqual([200, expect.anything()]);
  return json as Record<string, unknown>;
};

/** Sends an edit; `deleted` in it is a request of its own, and the rest is not sent. */
function write({ name }: Resource, { path, id }: Subject, edit: Params, by = admin): Promise<Answer> {
  if (edit.deleted) return by.client.delete(`${path}.json`);
  return name === "artist_commentary"
    ? by.client.post("/artist_commentaries/create_or_update.json", { [name]: { post_id: id, ...edit } })
    : by.client.put(`${path}.json`, { [name]: edit });
}

const some = (record: Record<string, unknown>, fields: string[]) =>
  Object.fromEntries(fields.map((field) => [field, record[field]]));

const numbered = (versions: Version[]): void =>
  expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1));

/** Edits one after the other; a version for each that changes something. @returns the state after each version */
async function editAll(resource: Resource, subject: Subject, edits: Params[]): Promise<Record<string, unknown>[]> {
  const fields = [...resource.restored, ...resource.kept];
  const states = [some(await show(resource, subject), fields)];
  for (const edit of edits) {
    const { status, text } = await write(resource, subject, edit);
    expect([status, text]).toEqual([200, expect.anything()]);
    const state = some(await show(resource, subject), fields);
    if (JSON.stringify(state) !== JSON.stringify(states.at(-1))) states.push(state);
    expect(await resource.versions(subject.id)).toHaveLength(states.length);
  }
  return states;
}

describe.each(Object.entries(RESOURCES))("%s", (_name, resource) => {
  it("has a version for each edit with changes, and a revert restores its state", async () => {
    const edit = fc.record(resource.edits(), { requiredKeys: [] });
    const history = fc.record({ edits: fc.array(edit, { minLength: 1, maxLength: 4 }), back: fc.nat() });
    const law = fc.asyncProperty(history, async ({ edits, back }) => {
      const subject = await resource.make();
      const states = await editAll(resource, subject, edits);
      const versions = await resource.versions(subject.id);
      const target = back % versions.length;
      const answer = await admin.client.put(`${subject.path}/revert.json`, { version_id: versions[target]?.id });
      expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
      const now = await show(resource, subject);
      expect(some(now, resource.restored)).toEqual(some(states[target] ?? {}, resource.restored));
      expect(some(now, resource.kept)).toEqual(some(states.at(-1) ?? {}, resource.kept));
      numbered(await resource.versions(subject.id));
    });
    await fc.assert(law, { numRuns: RUNS });
  });

  it("creates no version for the same edit twice", async () => {
    const subject = await resource.make();
    const states = await editAll(resource, subject, [resource.own(1), resource.own(1), {}]);
    expect(states).toHaveLength(2);
  });

  it("keeps all of eight concurrent edits", async () => {
    const subject = await resource.make();
    const before = (await resource.versions(subject.id)).length;
    const answers = await Promise.all(writers.map((by, index) => write(resource, subject, resource.own(index), by)));
    expect(answers.map(({ status }) => status)).toEqual(writers.map(() => 200));
    const versions = await resource.versions(subject.id);
    numbered(versions);
    expect(versions).toHaveLength(before + WRITERS);
    const updaters = (versions as (Version & { updaterId: number })[]).slice(before).map(({ updaterId }) => updaterId);
    expect(updaters.sort((a, b) => a - b)).toEqual(writers.map(({ id }) => id).sort((a, b) => a - b));
    const { id } = versions.at(-1) as Version;
    const last = await show(resource, subject);
    await admin.client.put(`${subject.path}/revert.json`, { version_id: id });
    expect(some(await show(resource, subject), resource.restored)).toEqual(some(last, resource.restored));
    expect(await resource.versions(subject.id)).toHaveLength(before + WRITERS);
  });
});

it("posts keep all of eight tags that are added concurrently", async () => {
  const { id } = await test.make.post("one two");
  const edits = writers.map(({ client }, index) =>
    client.put(`/posts/${id}.json`, { post: { old_tag_string: "one two", tag_string: `one two own_${index}` } }),
  );
  await Promise.all(edits);
  const { json } = await admin.client.get(`/posts/${id}.json`);
  const own = writers.map((_, index) => `own_${index}`);
  expect((json.tag_string as string).split(" ").filter((tag) => tag.startsWith("own_"))).toEqual(own);
});
