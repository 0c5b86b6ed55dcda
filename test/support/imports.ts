/** A board to import from, a comparison of both boards afterwards, and imports in this process. */
import { expect } from "vitest";
import { type ImportOptions, runImport } from "../../src/operations/import/import.js";
import { verifyRows } from "../../src/operations/verify/verify.js";
import { query } from "./backup.js";
import type { TestBoard } from "./board.js";
import type { Client, Params } from "./client.js";
import { fillBoard } from "./full-board.js";
import { gif, jpeg, png } from "./pictures.js";

type Row = Record<string, unknown>;

async function ok(answer: Promise<{ status: number; text: string; json: unknown }>): Promise<{ id: number }> {
  const { status, text, json } = await answer;
  if (status !== 200) throw new Error(text);
  return json as { id: number };
}

const blob = (content: Buffer): Blob => new Blob([new Uint8Array(content)]);

/** Records of every kind and state to import, created through the board's own interface; times and flags by SQL. */
export async function fillSource(test: TestBoard): Promise<void> {
  const { owner } = await fillBoard(test);
  const { client } = owner;
  const upload = async (tags: string, attributes: Params = {}) => (await test.make.post(tags, attributes, owner)).id;
  const still = await upload("art:mira char:anna co:tale meta:scan sea_gull o_(o)", {
    file: blob(await png({ seed: 90_001 })),
    rating: "q",
    source: "https://example.com/a?b=c#d",
  });
  const moving = await upload("sea tide", { file: blob(await gif({ seed: 90_002, frames: 3 })), rating: "e" });
  const large = await upload("sea 🌊", { file: blob(await jpeg({ width: 1_700, height: 90, seed: 90_003 })) });
  await ok(client.put(`/posts/${still}.json`, { post: { parent_id: large } })); // the parent comes after the child
  const pending = await upload("rain", { as_pending: true });
  const note = { post_id: still, x: 3, y: 4, width: 10, height: 11, body: 'Über "alles" <b>🌊</b>' };
  await ok(client.post("/notes.json", { note }));
  await ok(client.put(`/posts/${still}.json`, { post: { is_note_locked: true } }));
  const pools: Params[] = [
    {
      name: "Tides & shells",
      description: "post #1, then\nthe rest",
      category: "series",
      post_ids: [large, still, large],
    },
    { name: "gulls", description: "All.", category: "collection", post_ids: [moving, still], is_active: false },
  ];
  for (const pool of pools) await ok(client.post("/pools.json", { pool }));
  await describeTags(client);
  await query(
    test.board.databaseUrl,
    `UPDATE posts SET created_at = timestamptz '2009-05-06 07:08:09.123Z' + id * interval '1 day',
       updated_at = timestamptz '2012-05-06 07:08:09.123Z' + id * interval '1 day';
     UPDATE posts SET is_rating_locked = TRUE WHERE id = ${moving}; UPDATE posts SET is_status_locked = TRUE WHERE id = ${pending};
     UPDATE tags SET is_deprecated = TRUE, created_at = '2010-01-01Z' WHERE name = 'tide';
     UPDATE tags SET is_locked = TRUE WHERE name = 'mira';
     UPDATE wiki_pages SET created_at = '2011-01-01Z', updated_at = '2011-02-01Z';
     UPDATE pools SET created_at = '2011-03-01Z', updated_at = '2011-04-01Z';
     UPDATE notes SET created_at = '2011-05-01Z', updated_at = '2011-06-01Z';
     UPDATE posts p SET last_noted_at = (SELECT max(updated_at) FROM notes n WHERE n.post_id = p.id AND n.is_active)`,
  );
}

async function describeTags(client: Client): Promise<void> {
  const pages: Params[] = [
    { title: "sea", body: "Salt water.\n\n[[tide]]", other_names: "mare 海" },
    { title: "help:tags", body: "How to tag.", is_locked: true },
  ];
  for (const wiki_page of pages) await ok(client.post("/wiki_pages.json", { wiki_page }));
  const { id } = await ok(client.post("/wiki_pages.json", { wiki_page: { title: "lake", body: "Sweet water." } }));
  await ok(client.delete(`/wiki_pages/${id}.json`));
}

const pick = (row: Row, fields: string): Row => Object.fromEntries(fields.split(" ").map((name) => [name, row[name]]));
const sorted = (rows: Row[]): Row[] => rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const POST =
  "md5 file_ext file_size image_width image_height rating source tag_string tag_string_general tag_string_artist " +
  "tag_string_copyright tag_string_character tag_string_meta is_pending is_deleted is_banned is_note_locked " +
  "is_rating_locked is_status_locked has_children has_active_children pixiv_id created_at updated_at last_noted_at";

/** The imported records as a board shows them, without its own ids and users. */
export async function contentsOf(client: Client): Promise<Record<string, Row[]>> {
  const list = async (path: string, params: Params = {}) =>
    (await client.get(`/${path}.json`, { limit: 1_000, ...params })).json as Row[];
  const posts = await list("posts", { tags: "status:any" });
  const md5s = new Map(posts.map(({ id, md5 }) => [id, md5]));
  const [pools, notes, pages, tags] = await Promise.all([
    list("pools"),
    list("notes"),
    list("wiki_pages"),
    list("tags", { search: { hide_empty: "no" } }),
  ]);
  const relations = await Promise.all(
    ["tag_aliases", "tag_implications"].map((path) => list(path, { search: { status: "active" } })),
  );
  return {
    posts: sorted(posts.map((post) => ({ ...pick(post, POST), parent: md5s.get(post.parent_id) ?? null }))),
    pools: sorted(
      pools.map((pool) => ({
        ...pick(pool, "name description category is_active is_deleted post_count created_at updated_at"),
        posts: (pool.post_ids as number[]).map((id) => md5s.get(id)),
      })),
    ),
    notes: sorted(
      notes.map((note) => ({
        ...pick(note, "x y width height body is_active created_at updated_at"),
        post: md5s.get(note.post_id),
      })),
    ),
    wiki_pages: sorted(
      pages.map((page) =>
        pick(page, "title body other_names is_locked is_deleted category_name created_at updated_at"),
      ),
    ),
    tags: sorted(tags.map((tag) => pick(tag, "name category post_count is_deprecated is_locked"))),
    relations: sorted(relations.flat().map((row) => pick(row, "antecedent_name consequent_name status"))),
  };
}

/** The printed report. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers freely
export type Printed = Record<string, any>;

/** Imports in this process, without a rate limit. */
export async function importInto(
  { board }: TestBoard,
  options: Partial<ImportOptions> & { from: string },
): Promise<Printed> {
  const report = await runImport(board, {
    rate: 1_000,
    firstPause: 5,
    signal: new AbortController().signal,
    ...options,
  });
  return JSON.parse(JSON.stringify(report)) as Printed;
}

/** Applies the imported aliases and implications, as a worker would. */
export async function applyRelations({ board }: TestBoard): Promise<void> {
  for (const [kind, table] of [
    ["alias", "tag_aliases"],
    ["implication", "tag_implications"],
  ] as const) {
    const rows = await query<{ id: number }>(
      board.databaseUrl,
      `SELECT id FROM ${table} WHERE status = 'queued' ORDER BY 1`,
    );
    for (const { id } of rows) await board.tagRelationApplier.apply(kind, id);
  }
}

/** `board verify` finds nothing. */
export async function expectClean({ board }: TestBoard): Promise<void> {
  expect(await verifyRows(board.databaseUrl)).toEqual([]);
  expect(await board.storageAudit.run(false)).toMatchObject({ ok: true, orphans: [], temporarySwept: 0 });
}
