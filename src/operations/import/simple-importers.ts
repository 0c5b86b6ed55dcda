/**
 * Importers of records without files: tags (names, categories, and which are deprecated; post counts are this board's own), pools with
 * their posts in order, notes of imported posts, wiki pages whose titles don't exist, and active aliases and implications.
 */
import { type Db, identifier, sql } from "../../database/client.js";
import { TagCategory, type TagCategoryNumber } from "../../tagging/categories.js";
import type { TagRow } from "../../tagging/facts.js";
import { applyCategories, findOrCreateTags } from "../../tagging/store.js";
import { checkTagNames, normalizeTagName } from "../../tagging/tag-name.js";
import { type Imported, type Importer, RecordProblem, simpleImporter, timesOf, within, type Work } from "./importer.js";
import type { NoteShape, PoolShape, TagShape, WikiPageShape } from "./records.js";
import { createPool, membersOf, writePool } from "../../resources/pools/pool.edit.js";
import { isNamed, poolHistory, pools, type PoolState } from "../../resources/pools/pool.records.js";
import { normalizeListName } from "../../resources/shared/post-list.js";
import { NoteService, refreshNotedAt, bodyOrPlaceholder } from "../../resources/notes/note.service.js";
import { isStorable } from "../../lib/text.js";
import { WikiPageService } from "../../resources/wiki-pages/wiki-page.service.js";
import { normalizeTitle } from "../../resources/wiki-pages/wiki-page.state.js";
import { queueApplying } from "../../resources/tag-relations/tag-relation.apply.js";
import type { RelationKind } from "../../resources/tag-relations/tag-relation.records.js";
import { TagRelationService } from "../../resources/tag-relations/tag-relation.service.js";
import type { Entry } from "./ledger.js";
import type { Kind } from "./source.js";

/** Whether the import would change nothing. A tag of the general category takes the imported category. */
const isUpToDate = (here: { category: number; isLocked: boolean; isDeprecated: boolean }, there: TagShape): boolean =>
  (here.isDeprecated || !there.is_deprecated) &&
  (here.isLocked || here.category !== TagCategory.general || there.category === TagCategory.general);

const importTag = simpleImporter("tags", {
  async find(db, _work, tag) {
    const name = nameOf(tag);
    const here = await db.tag.findUnique({ where: { name } });
    return here && isUpToDate(here, tag) ? here.id : null;
  },
  async create(db, work, tag) {
    const name = nameOf(tag);
    const here = await db.tag.findUnique({ where: { name } });
    const isKept = here !== null && here.category !== TagCategory.general;
    const category = isKept ? (here.category as TagCategoryNumber) : tag.category;
    const { id } = await categorised(db, work, name, category);
    await db.execute(sql`UPDATE tags SET is_deprecated = is_deprecated OR ${tag.is_deprecated} WHERE id = ${id}`);
    if (here) return { outcome: "completed", localId: id };
    const { created } = timesOf(tag);
    await db.execute(sql`UPDATE tags SET created_at = ${created}, is_locked = ${tag.is_locked} WHERE id = ${id}`);
    return { localId: id };
  },
});

/** Gives a record the times that it has at the source. */
async function setTimes(db: Db, table: Kind, id: number, there: NoteShape | PoolShape | WikiPageShape): Promise<void> {
  const { created, updated } = timesOf(there);
  await db.execute(
    sql`UPDATE ${identifier(table)} SET created_at = ${created}, updated_at = ${updated} WHERE id = ${id}`,
  );
}

/** @throws BoardError 420 for an invalid name */
function nameOf(tag: TagShape): string {
  const name = normalizeTagName(tag.name);
  checkTagNames([name]);
  return name;
}

async function categorised(db: Db, work: Work, name: string, category: TagCategoryNumber): Promise<TagRow> {
  const categories = new Map([[name, category]]);
  const tags = await findOrCreateTags(db, [name], categories);
  const [row] = await applyCategories(db, tags, categories, work.context.viewer);
  if (!row) throw new Error("the created tag is missing");
  return row;
}

/** Posts that have not been imported are added to the pool by a later run. */
const importPool = simpleImporter("pools", {
  async find(db, _work, { name }) {
    const condition = isNamed(name);
    return (condition && (await pools.find(db, condition)))?.id ?? null;
  },
  async create(db, work, pool) {
    const { state, problem } = await stateThere(db, work, pool);
    const id = await createPool(db, work.context, state);
    await setTimes(db, "pools", id, pool);
    return { localId: id, problem };
  },
  complete,
});

/** The pool at the source, with those of its posts that have been imported. */
async function stateThere(db: Db, work: Work, pool: PoolShape): Promise<{ state: PoolState; problem: string | null }> {
  const here = await work.ledger.postIds(db, pool.post_ids);
  const category = pool.category ?? "series";
  const postIds = pool.post_ids.flatMap((id) => here.get(id) ?? []);
  const missing = new Set(pool.post_ids.filter((id) => !here.has(id)));
  const state: PoolState = {
    name: normalizeListName(pool.name),
    description: pool.description,
    category,
    postIds: membersOf(category, postIds),
    isActive: pool.is_active,
    isDeleted: pool.is_deleted,
  };
  const some = [...missing].slice(0, 10).join(", ");
  return { state, problem: missing.size === 0 ? null : `${missing.size} of its posts have not been imported: ${some}` };
}

/** Adds posts imported since, unless others have been added here, or the order changed. Those that were removed here stay out. */
async function complete(
  db: Db,
  work: Work,
  pool: PoolShape,
  { localId: id, importedAt }: Entry & { localId: number },
): Promise<Imported> {
  const row = await db.pool.findUnique({ where: { id }, select: { updatedAt: true } });
  if (!row) return { outcome: "unchanged", localId: id };
  const before = await poolHistory.lock(db, id);
  const { state, problem } = await stateThere(db, work, pool);
  const held = new Set(before.postIds);
  const earlier = new Set((await work.ledger.postIds(db, pool.post_ids, importedAt)).values());
  const postIds = state.postIds.filter((postId) => !earlier.has(postId) || held.has(postId));
  if (!isSubsequence(before.postIds, postIds)) return { outcome: "unchanged", localId: id };
  const after = { ...before, postIds };
  const changed = await writePool(db, work.context, { id, before, after, isOwnVersion: true }, work.config);
  if (!changed) return { outcome: "unchanged", localId: id, problem };
  await db.execute(sql`UPDATE pools SET updated_at = ${row.updatedAt} WHERE id = ${id}`);
  return { outcome: "completed", localId: id, problem };
}

function isSubsequence(part: readonly number[], whole: readonly number[]): boolean {
  let found = 0;
  for (const id of whole) if (id === part[found]) found += 1;
  return found === part.length;
}

/** Notes whose posts have not been imported fail, and are retried by the next run. */
const importNote = simpleImporter("notes", {
  /** Notes are the same if position and text are equal. */
  async find(db, work, note) {
    if (work.dryRun || !isStorable(note.body)) return null;
    const { x, y, width, height, is_active: isActive } = note;
    const where = {
      postId: await postIdOf(db, work, note),
      x,
      y,
      width,
      height,
      isActive,
      body: bodyOrPlaceholder(note.body),
    };
    return (await db.note.findFirst({ where, select: { id: true } }))?.id ?? null;
  },
  async create(db, work, note) {
    const { x, y, width, height } = note;
    const postId = await postIdOf(db, work, note);
    const service = new NoteService({ ...work, transact: within(db) });
    const id = await unlocked(db, postId, async () => {
      const made = await service.create(work.context, { postId, x, y, width, height, body: note.body });
      if (!note.is_active) await service.delete(work.context, made.id);
      return made.id;
    });
    await setTimes(db, "notes", id, note);
    await refreshNotedAt(db, postId);
    return { localId: id };
  },
});

/** @throws RecordProblem */
async function postIdOf(db: Db, work: Work, { post_id: there }: NoteShape): Promise<number> {
  const here = (await work.ledger.postIds(db, [there])).get(there);
  if (here === undefined) throw new RecordProblem(`its post ${there} has not been imported`);
  return here;
}

/** Unlocks a post's notes within the transaction, if they are locked. */
async function unlocked<T>(db: Db, postId: number, work: () => Promise<T>): Promise<T> {
  const unlockedPosts = await db.execute(
    sql`UPDATE posts SET is_note_locked = FALSE WHERE id = ${postId} AND is_note_locked`,
  );
  const result = await work();
  if (unlockedPosts > 0) await db.execute(sql`UPDATE posts SET is_note_locked = TRUE WHERE id = ${postId}`);
  return result;
}

const importWikiPage = simpleImporter("wiki_pages", {
  async find(db, _work, page) {
    const title = normalizeTitle(page.title);
    if (!isStorable(title)) return null;
    return (await db.wikiPage.findUnique({ where: { title }, select: { id: true } }))?.id ?? null;
  },
  async create(db, work, page) {
    const service = new WikiPageService({ ...work, transact: within(db) });
    const { title, body, other_names: otherNames, is_locked: isLocked } = page;
    const { id } = await service.create(work.context, { title, body, otherNames, isLocked });
    if (page.is_deleted) await service.delete(work.context, { id });
    await setTimes(db, "wiki_pages", id, page);
    return { localId: id };
  },
});

/** A background job applies them to the posts, as after an approval. */
const relationImporter = (kind: "tag_aliases" | "tag_implications", relation: RelationKind): Importer =>
  simpleImporter(kind, {
    async find(db, _work, record) {
      const names = [normalizeTagName(record.antecedent_name), normalizeTagName(record.consequent_name)];
      const [antecedentName = "", consequentName = ""] = names;
      if (!names.every(isStorable)) return null;
      const where = { antecedentName, consequentName, status: { notIn: ["deleted", "retired"] } };
      const row =
        relation === "alias"
          ? await db.tagAlias.findFirst({ where, select: { id: true } })
          : await db.tagImplication.findFirst({ where, select: { id: true } });
      return row?.id ?? null;
    },
    async create(db, work, record) {
      if (record.status !== "" && record.status !== "active") throw new RecordProblem("status: is not active");
      const { database, config, context } = work;
      const service = new TagRelationService(relation, { database, config, transact: within(db) });
      const { antecedent_name: antecedentName, consequent_name: consequentName, reason } = record;
      const made = await service.createApproved(context.viewer.id, { antecedentName, consequentName, reason });
      await queueApplying(db, relation, made.id);
      return { localId: made.id };
    },
  });

export const simpleImporters: Record<Exclude<Kind, "posts">, Importer> = {
  tags: importTag,
  pools: importPool,
  notes: importNote,
  wiki_pages: importWikiPage,
  tag_aliases: relationImporter("tag_aliases", "alias"),
  tag_implications: relationImporter("tag_implications", "implication"),
};
