/** Posts: searching, showing, editing, reverting. Votes are in `post-vote.service.ts`, history in `post.versions.ts`. */
import { randomBytes } from "node:crypto";
import type { RequestContext } from "../../context.js";
import { type Db, type Queryable, type Sql, sql } from "../../database/client.js";
import { toBoardError } from "../../database/faults.js";
import { failure } from "../../errors.js";
import { mayReplaceFile, mayUpdate } from "./post.policy.js";
import { authorize, requireLevel } from "../shared/policy.js";
import type { Page, Total } from "../../search/listing.js";
import { hintsFor, type SearchHint } from "../../search/posts/hints.js";
import { countPosts, type FoundPosts, isById, type PostSearch, searchPosts } from "../../search/posts/search.js";
import { normalizeRating } from "../../tagging/rating.js";
import { StorageAwayError } from "../../storage/storage.js";
import type { TagCache } from "../../tagging/tag-cache.js";
import { namesWritten } from "../../tagging/facts.js";
import { readTagString } from "../../tagging/tag-string.js";
import type { MediaIntake, PreparedMedia } from "../uploads/media-intake.js";
import { DEFAULT_LIMIT, type PageRequest, clampLimit, selectPage } from "../shared/paging.js";
import { applyTagActions, lockPoolsMeant } from "./post.actions.js";
import { type PostChanges, writePostChanges } from "./post.edit.js";
import { lockFamily } from "./post.family.js";
import { narrowedToPlace, neighborsOf, type Side } from "./post.neighbors.js";
import type { PostMemory } from "./post.memory.js";
import {
  type PostRecord,
  type PostRef,
  type PostStamp,
  readPost,
  readStamps,
  type StampedPost,
  type WithRecord,
} from "./post.records.js";
import { postHistory } from "./post.versions.js";
import { lockForEdit } from "./post.write.js";
import type { ServiceParts } from "../shared/service.js";

export interface PostQuery {
  tags?: string | null;
  /** take `tags` as one literal tag */
  raw?: boolean | null;
  md5?: string | null;
}

/** What a client may send for a post; absent fields stay as they are, a null parent is cleared. */
export interface PostEdit {
  tagString?: string | null;
  /** what the client saw before the edit, for a three-way merge */
  oldTagString?: string | null;
  rating?: string | null;
  oldRating?: string | null;
  source?: string | null;
  oldSource?: string | null;
  parentId?: number | null;
  oldParentId?: number | null;
  isNoteLocked?: boolean | null;
  isRatingLocked?: boolean | null;
  isStatusLocked?: boolean | null;
}

/** Posts that can be edited at once. */
export const MOST_EDITED = 100;

/** Why one of several posts was not edited. */
export interface EditRefusal {
  postId: number;
  code: string;
  reason: string;
}

export type PopularScale = "day" | "week" | "month";

export interface PopularQuery {
  /** a day as 2026-01-31; today by default */
  date?: string | null;
  scale?: PopularScale | null;
}

export interface PostServiceParts extends ServiceParts {
  tagCache: TagCache;
  memory: PostMemory;
  intake: MediaIntake;
}

export class PostService {
  constructor(private readonly parts: PostServiceParts) {}

  /**
   * One page of a post search: which posts, and as of when; with their records where these are not likely to be remembered.
   * @throws BoardError 424 for too many terms or too deep a page
   */
  async search(context: RequestContext, query: PostQuery, request: PageRequest): Promise<Page<PostStamp>> {
    const { database, tagCache, memory } = this.parts;
    if (query.md5) return this.pageOfMd5(query.md5);
    const search = this.searchOf(context, query, request);
    const read = (db: Queryable, ids: Sql) => readStamps(db, ids, !memory.isLikely);
    const found = await searchPosts({ db: database, prepared: database.prepared, cache: tagCache, read }, search);
    // an alias changed in between: what the search took a name for is no longer true
    if (await this.isOutdated(found, found.rows)) return this.search(context, query, request);
    return { ...found, count: () => countPosts(database, search, tagCache) };
  }

  /** The posts on one side of a post in a search, nearest first. @throws as `search` */
  async neighbors(context: RequestContext, id: number, tags: string, side: Side, count: number): Promise<PostRef[]> {
    const narrowed = await narrowedToPlace(this.parts.database, tags, id, side);
    const query = { tags: narrowed };
    const byId = isById(this.searchOf(context, query, {}));
    return neighborsOf({ byId, page: (request) => this.search(context, query, request) }, id, side, count);
  }

  /** How many posts a search finds. */
  count(context: RequestContext, query: PostQuery): Promise<Total> {
    const { database, tagCache } = this.parts;
    return countPosts(database, this.searchOf(context, query, {}), tagCache);
  }

  /** Why a search may find less than was meant. @throws as `search` */
  hints(context: RequestContext, query: PostQuery): Promise<SearchHint[]> {
    const { database, tagCache, config } = this.parts;
    if (query.md5 || query.raw) return Promise.resolve([]);
    const search = { context: { viewer: context.viewer, now: new Date() }, maxTerms: config.TAGS_PER_SEARCH };
    return hintsFor({ db: database, cache: tagCache }, query.tags ?? "", search);
  }

  private async isOutdated({ generation }: FoundPosts, rows: readonly PostStamp[]): Promise<boolean> {
    if (generation === null) return false;
    const { tagCache } = this.parts;
    const current = rows[0]?.tagGeneration ?? (await tagCache.currentGeneration());
    tagCache.learn(current);
    return current > generation;
  }

  /** The post of this id when a search finds it, else null. */
  async matching(context: RequestContext, id: number, tags: string): Promise<PostStamp | null> {
    if (tags.trim() === "") return (await this.byIds([id])).get(id) ?? null;
    const { rows } = await this.search(context, { tags: `(${tags}) id:${id}` }, { first: 1 });
    return rows[0] ?? null;
  }

  /** One post by chance, out of those that a search finds; null when it finds none. */
  async random(context: RequestContext, tags: string): Promise<PostRef | null> {
    if (tags.trim() === "") return this.randomOfAll();
    const { rows } = await this.search(context, { tags: `(${tags}) order:random` }, { first: 1 });
    return rows[0] ?? null;
  }

  /** A draw by md5, which is as good as chance and does not read the whole board. */
  private async randomOfAll(): Promise<PostRef | null> {
    const draw = randomBytes(16).toString("hex");
    const [row] = await this.parts.database.query<{ id: number }>(sql`
      (SELECT id FROM posts WHERE md5 >= ${draw} ORDER BY md5 LIMIT 1) UNION ALL
      (SELECT id FROM posts WHERE md5 < ${draw} ORDER BY md5 LIMIT 1) LIMIT 1`);
    return row ?? null;
  }

  /**
   * The posts of a day, week or month (UTC), best score first.
   * @throws BoardError 424 for a date that is none
   */
  popular(context: RequestContext, query: PopularQuery, request: PageRequest): Promise<Page<PostStamp>> {
    const [from, to] = periodOf(query);
    return this.search(context, { tags: `date:${from}..${to} order:score` }, request);
  }

  /** The post whose file it is now; null where the post has another file by now, or is gone. */
  async byMediaFile(id: number): Promise<PostRecord | null> {
    const [found] = await this.parts.database.query<{ id: number }>(
      sql`SELECT id FROM posts WHERE media_file_id = ${id}`,
    );
    return found ? readPost(this.parts.database.prepared, found.id) : null;
  }

  /** The posts of these ids by id, with the records of those that are not likely to be remembered; unknown ids are absent. */
  async byIds(ids: readonly number[]): Promise<Map<number, PostStamp>> {
    const { memory } = this.parts;
    const known = memory.isLikely ? ids.filter((id) => memory.has(id)) : [];
    const withRecord = known.length === ids.length ? false : sql`p.id <> ALL(${known}::int[])`;
    const posts = await this.stampsOf(ids, withRecord);
    return new Map(posts.map((post) => [post.id, post]));
  }

  /** The records of the posts of these ids as they are now, by id; unknown ids are absent. */
  async recordsOf(ids: readonly number[]): Promise<Map<number, StampedPost>> {
    const found = (await this.stampsOf(ids, true)) as StampedPost[];
    return new Map(found.map((post) => [post.id, post]));
  }

  private stampsOf(ids: readonly number[], withRecord: WithRecord): Promise<PostStamp[]> {
    return readStamps(this.parts.database.prepared, sql`SELECT unnest(${[...ids]}::int[])`, withRecord);
  }

  /**
   * Edits tags, rating, source, parent and locks, in one transaction under a lock on the post's row, and records a
   * version when anything of the first four changed.
   * @throws BoardError 403, 404, 420 (invalid tags, source or parent), 422 (rating locked), 424 (unknown rating)
   */
  async update(context: RequestContext, id: number, edit: PostEdit): Promise<PostRecord> {
    requireLevel(context.viewer);
    const changes = await this.changesOf(context, id, edit);
    try {
      return await this.write(context, id, () => Promise.resolve(changes));
    } finally {
      if (changes.media) await this.parts.intake.discard(changes.media);
    }
  }

  /** What an edit asks for. What depends on the post that may be edited is looked up before it is locked. */
  private async changesOf(context: RequestContext, id: number, edit: PostEdit): Promise<PostChanges> {
    const changes = await this.readFor(context, id, () => toChanges(edit));
    if (changes.parentId === undefined && changes.source === undefined) return changes;
    const post = await this.editable(context, id);
    // many clients send the parent with every edit, which is no reason to lock the family
    const parentId = changes.parentId === post.parentId ? undefined : changes.parentId;
    return { ...changes, parentId, media: await this.replacement(context, post, changes.source) };
  }

  /** @throws BoardError 403, 404 */
  private async editable(context: RequestContext, id: number): Promise<PostRecord> {
    const post = await readPost(this.parts.database.prepared, id);
    if (!post) throw failure("not_found");
    authorize(context.viewer, mayUpdate(context.viewer, post));
    return post;
  }

  /** Validation errors are only for those who may edit the post. */
  private async readFor<T>(context: RequestContext, id: number, read: () => T): Promise<T> {
    try {
      return read();
    } catch (error) {
      await this.editable(context, id);
      throw error;
    }
  }

  /**
   * Makes the same change to the tags of several posts, one after the other, each in a transaction of its own and by the rules
   * of `update`; a source is stored as text, whatever is behind it.
   * @param count counts each edit but the first towards the hour's
   * @returns the posts that were edited, and why others were not
   * @throws BoardError 420 for tags that no post can have, 424 for too many posts or none
   */
  async updateMany(
    context: RequestContext,
    postIds: readonly number[],
    tagChanges: string,
    count: () => Promise<void>,
  ): Promise<{ posts: PostRef[]; refusals: EditRefusal[] }> {
    requireLevel(context.viewer);
    const ids = [...new Set(postIds)];
    if (ids.length > MOST_EDITED) throw failure("too_many_values", { parameter: "post_ids", limit: MOST_EDITED });
    if (ids.length === 0) throw failure("missing_parameter", { parameter: "post_ids" });
    if (tagChanges.trim() === "") throw failure("missing_parameter", { parameter: "tag_changes" });
    readTagString(tagChanges, "tag_changes");
    const changes = toChanges({ tagString: tagChanges, oldTagString: "" });
    const refusals: EditRefusal[] = [];
    for (const [index, id] of ids.entries()) {
      try {
        if (index > 0) await count();
        await this.write(context, id, () => Promise.resolve(changes));
      } catch (error) {
        refusals.push(refusalOf(id, error));
      }
    }
    const edited = await this.byIds(ids);
    const refused = new Set(refusals.map(({ postId }) => postId));
    return { posts: ids.flatMap((id) => (refused.has(id) ? [] : (edited.get(id) ?? []))), refusals };
  }

  /**
   * Puts tags, rating, source and parent back to what a version recorded, through the whole edit pipeline.
   * @throws BoardError 403, 404 (also for a version of another post), 422 (rating locked)
   */
  async revert(context: RequestContext, id: number, versionId: number): Promise<PostRecord> {
    requireLevel(context.viewer);
    return this.write(context, id, (db) => changesToVersion(db, id, versionId));
  }

  private async write(
    context: RequestContext,
    id: number,
    changes: (db: Db) => Promise<PostChanges>,
  ): Promise<PostRecord> {
    const { transact, config, intake, database, tagCache } = this.parts;
    const edited = await transact(async (db) => {
      const wanted = await changes(db);
      const { submitted, seen } = wanted;
      const pools = await lockPoolsMeant(db, id, submitted?.actions);
      await lockFamily(db, id, { ...wanted, children: submitted?.actions?.children });
      const editable = await lockForEdit(db, context, id, namesWritten(config.TAGS_PER_POST, submitted, seen), config);
      if (!editable) throw failure("not_found");
      authorize(context.viewer, mayUpdate(context.viewer, editable.post));
      tagCache.rememberWords(editable.facts.tags.values(), editable.post.tagGeneration); // the answer names them
      const isLast = submitted?.actions === undefined;
      const post = await writePostChanges({ db, context, config, intake, isLast, isNotified: true }, editable, wanted);
      await applyTagActions(db, context, id, submitted?.actions, config, pools);
      return isLast ? post : null;
    });
    return edited ?? ((await readPost(database.prepared, id)) as PostRecord);
  }

  /**
   * The file behind a new source URL, when the viewer may replace the post's file and the URL gives another media file
   * that no post has. Anything else (a page, a site that is down, the same file) only stores the text.
   */
  private async replacement(
    context: RequestContext,
    post: PostRecord,
    source: string | undefined,
  ): Promise<PreparedMedia | undefined> {
    const changed = source !== undefined && source.trim() !== post.source;
    if (!changed || !/^https?:\/\//i.test(source.trim()) || !mayReplaceFile(context.viewer, post)) return undefined;
    try {
      return await this.parts.intake.downloadNew(source.trim(), context);
    } catch (error) {
      if (error instanceof StorageAwayError) throw error;
      context.log.info({ postId: post.id, err: error }, "source kept as text");
      return undefined;
    }
  }

  private async pageOfMd5(md5: string): Promise<Page<PostStamp>> {
    const ids = sql`SELECT id FROM posts WHERE md5 = ${md5.toLowerCase()}`;
    const rows = /^[0-9a-f]{32}$/i.test(md5) ? await readStamps(this.parts.database.prepared, ids, true) : [];
    return {
      rows,
      hasMore: false,
      byId: true,
      offset: 0,
      count: () => Promise.resolve({ count: rows.length, isEstimate: false }),
    };
  }

  private searchOf(context: RequestContext, query: PostQuery, request: PageRequest): PostSearch {
    const { config } = this.parts;
    return {
      tags: query.tags ?? "",
      raw: query.raw ?? false,
      viewer: context.viewer,
      limit: typeof request.first === "number" ? clampLimit(request.first, config.MAX_POSTS_PER_PAGE) : null,
      defaultLimit: DEFAULT_LIMIT,
      maxLimit: config.MAX_POSTS_PER_PAGE,
      page: selectPage(request, config),
      maxTerms: config.TAGS_PER_SEARCH,
    };
  }
}

/** @throws the error again where it is our own fault */
function refusalOf(postId: number, error: unknown): EditRefusal {
  const { code, reason } = toBoardError(error);
  if (code === "INTERNAL") throw error;
  return { postId, code, reason };
}

/** First day of the time, and the day after its last. */
function periodOf({ date, scale }: PopularQuery): [string, string] {
  const given = date?.trim().slice(0, 10);
  const day = given ? new Date(`${given}T00:00:00Z`) : new Date();
  // the 30th of February would be read as a day of March
  const isDay = !Number.isNaN(day.getTime()) && (!given || day.toISOString().startsWith(given));
  if (!isDay) throw failure("invalid_parameter", { parameter: "date" });
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  const monday = day.getUTCDate() - ((day.getUTCDay() + 6) % 7);
  const spans = {
    day: [day.getUTCDate(), day.getUTCDate() + 1],
    week: [monday, monday + 7],
  } as const;
  const text = (time: number) => new Date(time).toISOString().slice(0, 10);
  if (scale === "month") return [text(Date.UTC(year, month, 1)), text(Date.UTC(year, month + 1, 1))];
  const [from, to] = spans[scale ?? "day"];
  return [text(Date.UTC(year, month, from)), text(Date.UTC(year, month, to))];
}

/**
 * The edit with its own meta-tags applied. A value equal to the one that the client saw is no change, whatever it is now.
 * Explicit fields win over the same thing said in the tag string.
 */
function toChanges(edit: PostEdit): PostChanges {
  const submitted = readTagString(edit.tagString, "tag_string");
  const rating = unlessSeen(edit.rating, edit.oldRating) ?? undefined;
  const letter = rating === undefined || rating.trim() === "" ? submitted?.rating : normalizeRating(rating);
  if (letter === null)
    throw failure("invalid_choice", { parameter: "post[rating]", choices: "safe, questionable, explicit" });
  const given = edit.parentId === edit.oldParentId ? undefined : edit.parentId;
  const parentId = given === undefined ? submitted?.parentId : given;
  return {
    submitted,
    seen: readTagString(edit.oldTagString, "old_tag_string"),
    rating: letter,
    source: unlessSeen(edit.source, edit.oldSource) ?? submitted?.source,
    parentId,
    notParentId: submitted?.notParentId,
    locks: {
      note: edit.isNoteLocked ?? submitted?.locks.note,
      rating: edit.isRatingLocked ?? submitted?.locks.rating,
      status: edit.isStatusLocked ?? submitted?.locks.status,
    },
  };
}

const unlessSeen = (value: string | null | undefined, seen: string | null | undefined): string | undefined =>
  typeof value !== "string" || value === seen ? undefined : value;

async function changesToVersion(db: Db, postId: number, versionId: number): Promise<PostChanges> {
  const state = await postHistory.state(db, postId, versionId);
  const [parent] = await db.query<{ id: number }>(sql`SELECT id FROM posts WHERE id = ${state.parentId}::int`);
  const names = await db.query<{ name: string }>(sql`
    SELECT name FROM tags WHERE id = ANY(${state.tagIds}::int[])`);
  return {
    submitted: { names: names.map((tag) => tag.name), removed: [], categories: new Map(), locks: {} },
    rating: state.rating,
    source: state.source,
    parentId: parent?.id ?? null,
    locks: {},
  };
}
