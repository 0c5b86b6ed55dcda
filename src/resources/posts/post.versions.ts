/** The history of posts: every edit that changes something is a row, numbered from 1 without gaps. */
import type { Config } from "../../config.js";
import { type Db, type PrismaClient, type Sql, sql } from "../../database/client.js";
import { isStorable } from "../../lib/text.js";
import { Filters, NOTHING, type Page } from "../../search/listing.js";
import type { Rating } from "../../tagging/rating.js";
import type { PageRequest } from "../shared/paging.js";
import { ReadModel } from "../shared/read-model.js";

export interface PostVersionRecord {
  id: number;
  postId: number;
  version: number;
  updaterId: number;
  updaterName: string;
  tagIds: number[];
  addedTagIds: number[];
  removedTagIds: number[];
  /** the tags that the post has now */
  currentTagIds: number[];
  rating: Rating;
  ratingChanged: boolean;
  parentId: number | null;
  parentChanged: boolean;
  source: string;
  sourceChanged: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export interface PostVersionSearch {
  id?: number[] | null;
  postId?: number[] | null;
  updaterId?: number[] | null;
  updaterName?: string | null;
  /** versions with this id or a smaller one */
  startId?: number | null;
  /** names of tags that were added or removed, each of them */
  changedTags?: string[] | null;
  addedTagsIncludeAll?: string[] | null;
  removedTagsIncludeAll?: string[] | null;
}

/** What a version records. */
export interface PostState {
  tagIds: number[];
  rating: Rating;
  parentId: number | null;
  source: string;
  mediaFileId: number;
}

const versions = new ReadModel<PostVersionRecord>(
  sql`t.id, t.post_id AS "postId", t.version, t.updater_id AS "updaterId", u.name AS "updaterName",
  t.tag_ids AS "tagIds", t.added_tag_ids AS "addedTagIds", t.removed_tag_ids AS "removedTagIds",
  p.tag_ids AS "currentTagIds", t.rating, t.rating_changed AS "ratingChanged", t.parent_id AS "parentId",
  t.parent_changed AS "parentChanged", t.source, t.source_changed AS "sourceChanged",
  t.created_at AS "createdAt", t.updated_at AS "updatedAt"`,
  sql`post_versions AS t JOIN users u ON u.id = t.updater_id JOIN posts p ON p.id = t.post_id`,
);

/** All of these tags are among the ids; a name that no tag has is on no version. Null for a search without names. */
function hasAll(ids: Sql, names: string[] | null | undefined): Sql | null {
  const wanted = [...new Set(names?.map((name) => name.toLowerCase()).filter(Boolean))];
  if (wanted.length === 0) return null;
  if (!wanted.every(isStorable)) return NOTHING;
  const found = sql`SELECT CASE WHEN count(*) = ${wanted.length}::int THEN array_agg(id) END FROM tags WHERE name = ANY(${wanted}::text[])`;
  return sql`${ids} @> (${found})`; // a null where a name is unknown
}

export class PostVersionService {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly config: Config,
  ) {}

  search(search: PostVersionSearch, request: PageRequest): Promise<Page<PostVersionRecord>> {
    const filters = new Filters()
      .ids(sql`t.id`, search.id)
      .ids(sql`t.post_id`, search.postId)
      .ids(sql`t.updater_id`, search.updaterId)
      .userName(sql`t.updater_id`, search.updaterName)
      .add(hasAll(sql`(t.added_tag_ids || t.removed_tag_ids)`, search.changedTags))
      .add(hasAll(sql`t.added_tag_ids`, search.addedTagsIncludeAll))
      .add(hasAll(sql`t.removed_tag_ids`, search.removedTagsIncludeAll));
    if (typeof search.startId === "number") filters.add(sql`t.id <= ${search.startId}`);
    const options = { where: filters.conditions };
    return versions.list(this.prisma, options, request, this.config);
  }

  byIds(ids: readonly number[]): Promise<Map<number, PostVersionRecord>> {
    return versions.byIds(this.prisma, ids);
  }

  /** The newest versions of each post, newest first. @param limit most versions of one post */
  newestOfPosts(postIds: readonly number[], limit: number): Promise<PostVersionRecord[]> {
    return versions.newestOfEach(this.prisma, sql`t.post_id`, postIds, limit);
  }
}

/** The state that a version of this post recorded; null when there is no such version of this post. */
export async function readPostState(db: Db, postId: number, versionId: number): Promise<PostState | null> {
  const [row] = await db.$queryRaw<PostState[]>`
    SELECT tag_ids AS "tagIds", rating, parent_id AS "parentId", source, media_file_id AS "mediaFileId"
      FROM post_versions WHERE id = ${versionId} AND post_id = ${postId}`;
  return row ?? null;
}

export interface VersionEntry {
  postId: number;
  updaterId: number;
  address: string;
  /** null for the first version */
  before: PostState | null;
  after: PostState;
}

/**
 * Writes a version when something changed, in the transaction of the edit, under the lock on the post's row.
 * Within `VERSION_MERGE_MINUTES` of the same user's last version that row is updated in place.
 * @returns whether anything changed
 */
export async function recordPostVersion(db: Db, entry: VersionEntry, mergeMinutes: number): Promise<boolean> {
  const change = compare(entry.before, entry.after);
  if (!change) return false;
  if (mergeMinutes > 0 && (await mergeVersion(db, entry, mergeMinutes))) return true;
  const { after } = entry;
  await db.$executeRaw`
    INSERT INTO post_versions (post_id, version, updater_id, updater_ip, tag_ids, added_tag_ids, removed_tag_ids,
      rating, rating_changed, parent_id, parent_changed, source, source_changed, media_file_id)
    SELECT ${entry.postId}, COALESCE(max(version), 0) + 1, ${entry.updaterId}, ${entry.address}::inet,
      ${after.tagIds}::int[], ${change.added}::int[], ${change.removed}::int[], ${after.rating}, ${change.rating},
      ${after.parentId}::int, ${change.parent}, ${after.source}, ${change.source}, ${after.mediaFileId}
      FROM post_versions WHERE post_id = ${entry.postId}`;
  return true;
}

function compare(before: PostState | null, after: PostState) {
  const had = new Set(before?.tagIds);
  const has = new Set(after.tagIds);
  const change = {
    added: after.tagIds.filter((id) => !had.has(id)),
    removed: (before?.tagIds ?? []).filter((id) => !has.has(id)),
    rating: before?.rating !== after.rating,
    parent: (before?.parentId ?? null) !== after.parentId,
    source: (before?.source ?? "") !== after.source,
    file: before?.mediaFileId !== after.mediaFileId,
  };
  const any = change.added.length + change.removed.length > 0;
  return before === null || any || change.rating || change.parent || change.source || change.file ? change : null;
}

/** Folds the edit into the user's own version of a moment ago; its differences count from the version before that. */
async function mergeVersion(db: Db, { postId, updaterId, after }: VersionEntry, minutes: number): Promise<boolean> {
  const merged = await db.$executeRaw`
    UPDATE post_versions v SET
      tag_ids = ${after.tagIds}::int[], rating = ${after.rating}, parent_id = ${after.parentId}::int,
      source = ${after.source}, media_file_id = ${after.mediaFileId}, updated_at = now(),
      added_tag_ids = ARRAY(SELECT unnest(${after.tagIds}::int[]) EXCEPT SELECT unnest(prior.tag_ids) ORDER BY 1),
      removed_tag_ids = ARRAY(SELECT unnest(prior.tag_ids) EXCEPT SELECT unnest(${after.tagIds}::int[]) ORDER BY 1),
      rating_changed = prior.rating IS DISTINCT FROM ${after.rating},
      parent_changed = prior.parent_id IS DISTINCT FROM ${after.parentId}::int,
      source_changed = COALESCE(prior.source, '') <> ${after.source}
      FROM (SELECT last.id, before.tag_ids, before.rating, before.parent_id, before.source
              FROM post_versions last
              LEFT JOIN post_versions before ON before.post_id = last.post_id AND before.version = last.version - 1
             WHERE last.post_id = ${postId} AND last.updater_id = ${updaterId}
               AND last.updated_at > now() - make_interval(mins => ${minutes}::int)
               AND last.version = (SELECT max(version) FROM post_versions WHERE post_id = ${postId})) AS prior
     WHERE v.id = prior.id`;
  return merged > 0;
}
