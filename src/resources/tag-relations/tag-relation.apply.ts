/**
 * Applies an approved alias or implication: the posts that need it are edited one after the other, each in a transaction
 * of its own with a version, in the name of the user who requested it. After an alias, the wiki page and the artist of its antecedent
 * are renamed. It can be interrupted and resumed at any point: edited posts are not found again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Viewer } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { lockKey } from "../../database/lock.js";
import { olderWritersEnded } from "../../database/older-writers.js";
import { BoardError } from "../../errors.js";
import { oneByOne } from "../../lib/in-batches.js";
import { APPROVED, IN_FORCE, tagsOfIds, withImplications } from "../../tagging/facts.js";
import { findOrCreateTags, queueRecount } from "../../tagging/store.js";
import type { Logger } from "../../runtime/telemetry/log.js";
import type { MediaIngest } from "../uploads/media-ingest.js";
import { artists } from "../artists/artist.records.js";
import { ArtistService } from "../artists/artist.service.js";
import { WikiPageService } from "../wiki-pages/wiki-page.service.js";
import { writePostChanges } from "../posts/post.edit.js";
import { lockForEdit } from "../posts/post.write.js";
import { checkConsistency } from "./tag-relation.consistency.js";
import {
  finishApplying,
  lockRelation,
  type RelationKind,
  relations,
  setStatus,
  type TagRelationRecord,
} from "./tag-relation.records.js";
import type { ServiceParts } from "../shared/service.js";

type Condition = () => Sql | Promise<Sql>;

/** The condition that posts have all of these tags. */
const haveAll = (names: readonly string[]): Sql =>
  sql`tag_ids @> ARRAY(SELECT id FROM tags WHERE name = ANY(${[...names]}::text[]) ORDER BY id)`;

/** The condition that posts have a tag that implies this one, but not this one. */
const lacksImplied = (name: string): Sql => sql`
  tag_ids && ARRAY(SELECT t.id FROM tags t JOIN tag_implications i ON i.antecedent_name = t.name
                    WHERE i.consequent_name = ${name} AND i.status IN ${IN_FORCE}) AND NOT ${haveAll([name])}`;

export interface ApplyParts extends ServiceParts {
  ingest: MediaIngest;
  log: Logger;
}

/** Number of posts that are looked up at once: a lookup takes time for all posts with the tag, whatever its limit. */
const BATCH = 1_000;
/** Pause after each post, relative to the time it took, for other users of the board. */
const REST = 0.5;
/** Relations that are applied at the same time: they may take hours, and leave workers for other jobs. */
const QUEUES = 2;

/**
 * Queues a job that applies a relation after the commit; it replaces a waiting or failed job of the relation.
 * @param minutes how long it waits
 */
export async function queueApplying(db: Db, kind: RelationKind, id: number, minutes = 0): Promise<void> {
  const key = `apply_tag_relation:${kind}:${id}`;
  await db.execute(sql`
    DELETE FROM graphile_worker._private_jobs WHERE key = ${key} AND attempts >= max_attempts AND locked_at IS NULL`);
  await db.execute(sql`
    SELECT graphile_worker.add_job('apply_tag_relation', json_build_object('kind', ${kind}::text, 'id', ${id}::int),
      queue_name => ${`apply_tag_relation ${id % QUEUES}`}, run_at => now() + make_interval(mins => ${minutes}::int), job_key => ${key}, max_attempts => 5)`);
}

export class TagRelationApplier {
  private readonly artists: ArtistService;
  private readonly wikiPages: WikiPageService;

  constructor(private readonly parts: ApplyParts) {
    this.artists = new ArtistService(parts);
    this.wikiPages = new WikiPageService(parts);
  }

  /**
   * Applies a queued relation, or resumes an interrupted or failed one, of one that was deleted meanwhile only what its `takeOver` needs. Does
   * nothing in other states.
   * @param stopping when it is aborted, the current post is the last one
   * @returns false if posts are left
   * @throws any error, so that the queue retries
   */
  async apply(kind: RelationKind, id: number, stopping?: AbortSignal): Promise<boolean> {
    const relation = await this.begin(kind, id);
    if (!relation) return true;
    // they may have read aliases and implications before this one applied
    if (!(await olderWritersEnded(this.parts.database, stopping))) return false;
    const context = await this.contextOf(relation, relation.creatorId);
    for (const condition of this.unedited(kind, relation)) {
      if (!(await this.retagAll(context, condition, stopping))) return false;
    }
    const current = await relations[kind].get(this.parts.database, id); // it may have been deleted since, or its consequent aliased
    if (kind === "alias" && current.status !== "deleted") await this.rename(current);
    await finishApplying(this.parts.database, kind, id, "active");
    return true;
  }

  async park(kind: RelationKind, id: number, error: unknown): Promise<void> {
    const reason = error instanceof BoardError ? error.reason : "could not be applied";
    await finishApplying(this.parts.database, kind, id, `error: ${reason}`);
  }

  /** Activates it for searches and edits, and moves other relations of the antecedent. */
  private begin(kind: RelationKind, id: number): Promise<TagRelationRecord | null> {
    return this.parts.transact(async (db) => {
      await lockKey(db, "tagRelations");
      const relation = await lockRelation(db, kind, id);
      if (relation?.status === "deleted") return relation;
      if (!relation || !/^(queued|processing|error)/.test(relation.status)) return null;
      await checkConsistency(db, kind, relation, IN_FORCE);
      await findOrCreateTags(db, [relation.antecedentName, relation.consequentName]);
      if (kind === "alias") await takeOver(db, relation);
      await setStatus(db, kind, id, "processing");
      return relations[kind].byId(db, id);
    });
  }

  /**
   * Conditions for posts that still need the edit: that have the antecedent of an alias, and then those that have its consequent but not what
   * that implies since `takeOver`. They are read again while posts are edited.
   */
  private unedited(kind: RelationKind, { antecedentName, consequentName, status }: TagRelationRecord): Condition[] {
    const incomplete = (name: string) => async (): Promise<Sql> => {
      const implied = await withImplications(this.parts.database, [name]);
      return implied.length > 1 ? sql`${haveAll([name])} AND NOT ${haveAll(implied)}` : sql`FALSE`;
    };
    if (kind === "implication") return [incomplete(antecedentName)];
    if (status === "deleted") return [() => lacksImplied(consequentName), incomplete(consequentName)];
    return [() => haveAll([antecedentName]), incomplete(consequentName)];
  }

  /** Edits the posts that meet a condition. @returns false if it was stopped */
  private async retagAll(context: RequestContext, condition: Condition, stopping?: AbortSignal): Promise<boolean> {
    const next = async (after: number) =>
      this.parts.database.query<{ id: number }>(sql`
        SELECT id FROM posts WHERE ${await condition()} AND id > ${after} ORDER BY id LIMIT ${BATCH}`);
    for await (const { id } of oneByOne(next)) {
      if (stopping?.aborted) return false;
      const started = performance.now();
      await this.retag(context, id);
      await sleep((performance.now() - started) * REST);
    }
    return true;
  }

  /** Edits a post with its own tags, which applies current aliases and implications. */
  private async retag(context: RequestContext, id: number): Promise<void> {
    const { transact, config, ingest, log } = this.parts;
    try {
      await transact(async (db) => {
        const editable = await lockForEdit(db, context, id, [], config);
        if (!editable) return;
        const names = tagsOfIds(editable.facts, editable.post.tagIds).map(({ name }) => name);
        const submitted = { names, removed: [], categories: new Map(), locks: {} };
        const work = { db, context, config, ingest, isLast: true, isLimited: false, isNotified: false };
        await writePostChanges(work, editable, { submitted, locks: {} });
      });
    } catch (error) {
      if (!(error instanceof BoardError)) throw error;
      log.warn({ postId: id, reason: error.reason }, "post skipped by a retagging");
    }
  }

  /**
   * Renames the wiki page and the artist of an alias's antecedent, in the name of who approved it, unless its consequent has its own: then
   * a ban of the artist moves to that one.
   */
  private async rename(relation: TagRelationRecord): Promise<void> {
    const { approverId, creatorId, antecedentName: from, consequentName: to } = relation;
    const context = await this.contextOf(relation, approverId ?? creatorId);
    const refused = (error: unknown): void => {
      if (!(error instanceof BoardError)) throw error;
      this.parts.log.warn({ tag: from, reason: error.reason }, "not renamed with its tag");
    };
    const page = await this.wikiPages.byTitle(from);
    if (page) await this.wikiPages.update(context, page, { title: to }).catch(refused);
    const artist = await artists.find(this.parts.database, sql`t.name = ${from}`);
    if (!artist) return;
    const other = artist.isBanned ? await artists.find(this.parts.database, sql`t.name = ${to}`) : null;
    // in this order: otherwise the end of the ban would free no post, since all have the consequent
    const moved = other
      ? this.artists.ban(context, other.id).then(() => this.artists.unban(context, artist.id))
      : this.artists.update(context, artist.id, { name: to });
    await moved.catch(refused);
  }

  private async contextOf({ id }: TagRelationRecord, userId: number): Promise<RequestContext> {
    const user = await this.parts.database.user.findUniqueOrThrow({ where: { id: userId } });
    const viewer: Viewer = { id: user.id, name: user.name, level: user.level, isBanned: false, proof: "none" };
    return { requestId: `job:${id}`, viewer, address: "127.0.0.1", baseUrl: "", log: this.parts.log };
  }
}

/**
 * Moves what refers to the antecedent of a new alias to its consequent: aliases, implications on either side
 * (those that would imply themselves or be duplicates are deleted: requests first, and then those that are moved), and the category,
 * if the consequent has none of its own.
 */
async function takeOver(db: Db, { antecedentName, consequentName }: TagRelationRecord): Promise<void> {
  // before `tag_generation`, which a change of aliases locks
  await db.execute(sql`SELECT FROM tags WHERE name = ${consequentName} FOR NO KEY UPDATE`);
  await db.execute(sql`UPDATE tag_aliases SET consequent_name = ${consequentName}, updated_at = now()
    WHERE consequent_name = ${antecedentName} AND status IN ${APPROVED}`);
  const moved = (name: Sql): Sql => sql`CASE ${name} WHEN ${antecedentName} THEN ${consequentName} ELSE ${name} END`;
  // two conditions, not one on both columns, which no index would serve
  const isOf = (names: string[]): Sql =>
    sql`(antecedent_name = ANY(${names}::text[]) OR consequent_name = ANY(${names}::text[]))`;
  const isMoved = isOf([antecedentName]);
  await db.execute(sql`
    WITH i AS (
      SELECT id, status, ${isMoved} AS is_moved, ${moved(sql`antecedent_name`)} AS antecedent, ${moved(sql`consequent_name`)} AS consequent
        FROM tag_implications WHERE status NOT IN ('deleted', 'retired') AND ${isOf([antecedentName, consequentName])}
    ), places AS (
      SELECT *, row_number() OVER (PARTITION BY antecedent, consequent ORDER BY status IN ${APPROVED} DESC, is_moved) AS place FROM i
    )
    UPDATE tag_implications t SET status = 'deleted', updated_at = now()
      FROM places p WHERE t.id = p.id AND (antecedent = consequent OR place > 1)`);
  await db.execute(sql`
    UPDATE tag_implications SET updated_at = now(),
      antecedent_name = ${moved(sql`antecedent_name`)}, consequent_name = ${moved(sql`consequent_name`)}
     WHERE status NOT IN ('deleted', 'retired') AND ${isMoved}`);
  const recategorized = await db.query<{ id: number }>(sql`
    UPDATE tags t SET category = a.category, updated_at = now() FROM tags a
     WHERE t.name = ${consequentName} AND a.name = ${antecedentName} AND t.category = 0 AND a.category <> 0 AND NOT t.is_locked
    RETURNING t.id`);
  for (const { id: tagId } of recategorized) await queueRecount(db, tagId);
}
