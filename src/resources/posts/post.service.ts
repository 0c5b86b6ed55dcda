/** Searching and showing posts. Edits are in `post-edit.service.ts`. */
import { randomBytes } from "node:crypto";
import type { RequestContext } from "../../context.js";
import { type Database, sql } from "../../database/client.js";
import { failure } from "../../errors.js";
import { andThen, type MaybePromise } from "../../lib/maybe-promise.js";
import type { Total } from "../../search/estimate.js";
import { hasOtherSide, type Page } from "../../search/listing.js";
import { hintsFor, type SearchHint } from "../../search/posts/hints.js";
import { type Order, RANDOM } from "../../search/posts/orders.js";
import { countPosts, isById, type PostSearch, type ReadPage, searchPosts } from "../../search/posts/search.js";
import type { TagCache } from "../../tagging/tag-cache.js";
import { DEFAULT_LIMIT, type PageRequest, clampLimit, selectPage } from "../shared/paging.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import { maySeeFile } from "./post.policy.js";
import { nearPlace, neighborsOf, type Side } from "./post.neighbors.js";
import type { PostCache } from "./post.cache.js";
import {
  first,
  type PostRecord,
  type PostRef,
  type PostStamp,
  readPost,
  ROWS_PER_RECORD,
  readStamps,
  type StampedPost,
  type WithRecord,
} from "./post.records.js";
import type { ServiceParts } from "../shared/service.js";

export interface PostQuery {
  tags?: string | null;
  /** take `tags` as one literal tag */
  raw?: boolean | null;
  md5?: string | null;
  /** further terms, of the board's own */
  also?: string;
  /** in place of the search's own order */
  order?: Order;
}

const MD5 = /^[0-9a-f]{32}$/i;

export type PopularScale = "day" | "week" | "month";

export interface PopularQuery {
  /** a day as 2026-01-31; today by default */
  date?: string | null;
  scale?: PopularScale | null;
}

export interface PostServiceParts extends ServiceParts {
  tagCache: TagCache;
  postCache: PostCache;
}

export class PostService {
  constructor(private readonly parts: PostServiceParts) {}

  private get readers() {
    const { database, tagCache } = this.parts;
    return {
      db: database,
      prepared: database.prepared,
      byKeys: (most: number) => database.byKeys(most),
      cache: tagCache,
    };
  }

  /**
   * One page of a post search: ids and revisions, and the records if these are not likely to be cached.
   * @throws BoardError 424 for too many terms or too deep a page
   */
  search(context: RequestContext, query: PostQuery, request: PageRequest): Promise<Page<PostStamp>> {
    const { readers } = this;
    const { postCache } = this.parts;
    if (query.md5) return this.search(context, { also: `md5:${MD5.test(query.md5) ? query.md5 : "none"}` }, request);
    const search = this.searchOf(context, query, request);
    const isLight = postCache.isLikely;
    const read: ReadPage<PostStamp> = (db, page, shown) => readStamps(db, page, !isLight && first(shown));
    const rowsPerPost = isLight ? 1 : ROWS_PER_RECORD;
    return searchPosts({ ...readers, rowsPerPost, read }, search).then((found) =>
      andThen(this.isOutdated(found.generation, found.rows), (isOutdated) =>
        isOutdated
          ? this.search(context, query, request)
          : {
              ...found,
              hasOthers: () => hasOtherSide(search.page, (after) => this.search(context, query, { first: 1, after })),
              count: () => countPosts(readers, search),
            },
      ),
    );
  }

  /** The posts on one side of a post in a search, nearest first. @throws as `search` */
  async neighbors(context: RequestContext, id: number, tags: string, side: Side, count: number): Promise<PostRef[]> {
    const query = { tags, also: await nearPlace(this.parts.database, tags, id, side) };
    const byId = isById(this.searchOf(context, query, {}));
    return neighborsOf({ byId, page: (request) => this.search(context, query, request) }, id, side, count);
  }

  /** The number of posts that a search finds. */
  count(context: RequestContext, query: PostQuery): Promise<Total> {
    return countPosts(this.readers, this.searchOf(context, query, {}));
  }

  /** Hints why a search may find less than expected. @throws as `search` */
  hints(context: RequestContext, query: PostQuery): Promise<SearchHint[]> {
    if (query.md5 || query.raw) return Promise.resolve([]);
    const { config } = this.parts;
    const search = { context: { viewer: context.viewer, now: new Date() }, maxTerms: config.TAGS_PER_SEARCH };
    return hintsFor(this.readers, query.tags ?? "", search);
  }

  /**
   * Whether an alias has changed since the tags of a search were remembered, so that it was resolved with an outdated name.
   * @param generation of the remembered tags; null if they were looked up
   */
  private isOutdated(generation: number | null, rows: readonly PostStamp[]): MaybePromise<boolean> {
    if (generation === null) return false;
    const { tagCache } = this.parts;
    return andThen(rows[0]?.tagGeneration ?? tagCache.currentGeneration(), (current) => {
      tagCache.learn(current);
      return current > generation;
    });
  }

  /** The post with this id if a search finds it, else null. */
  async matching(context: RequestContext, id: number, tags: string): Promise<PostStamp | null> {
    if (tags.trim() === "") return (await this.byIds([id])).get(id) ?? null;
    const { rows } = await this.search(context, { tags, also: `id:${id}` }, { first: 1 });
    return rows[0] ?? null;
  }

  /** A random post of those that a search finds; null if it finds none. */
  async random(context: RequestContext, tags: string): Promise<PostRef | null> {
    if (tags.trim() === "") return this.randomOfAll();
    const { rows } = await this.search(context, { tags, order: RANDOM }, { first: 1 });
    return rows[0] ?? null;
  }

  /** Equally likely the first of 20 drawn ids that exists; where most ids are missing, a choice by md5, in which posts behind gaps are likelier. */
  private async randomOfAll(): Promise<PostRef | null> {
    const draw = randomBytes(16).toString("hex");
    const [row] = await this.parts.database.query<{ id: number }>(sql`
      WITH drawn AS MATERIALIZED (
        SELECT n, 1 + floor(random() * (SELECT max(id) FROM posts))::int AS id FROM generate_series(1, 20) AS n)
      (SELECT id FROM drawn JOIN posts USING (id) ORDER BY n LIMIT 1) UNION ALL
      (SELECT id FROM posts WHERE md5 >= ${draw} ORDER BY md5 LIMIT 1) UNION ALL
      (SELECT id FROM posts WHERE md5 < ${draw} ORDER BY md5 LIMIT 1) LIMIT 1`);
    return row ?? null;
  }

  /** The posts of a day, week or month (UTC), best score first. @throws BoardError 424 for an invalid date */
  popular(context: RequestContext, query: PopularQuery, request: PageRequest): Promise<Page<PostStamp>> {
    const [from, to] = periodOf(query);
    return this.search(context, { also: `date:${from}...${to} order:score` }, request);
  }

  /** The post with this file; null if the viewer may not see the file, the post has another one now, or was removed. */
  async byMediaFile(id: number, viewer: Viewer): Promise<PostRecord | null> {
    const seen = maySeeFile(viewer, { isBanned: true }) ? sql`TRUE` : sql`NOT is_banned`;
    const [found] = await this.parts.database.query<{ id: number }>(
      sql`SELECT id FROM posts WHERE media_file_id = ${id} AND ${seen}`,
    );
    return found ? readPost(this.parts.database.byKeys(ROWS_PER_RECORD), found.id) : null;
  }

  /** As `postsByIds`. */
  byIds(ids: readonly number[]): Promise<Map<number, PostStamp>> {
    return postsByIds(this.parts, ids);
  }

  /** The current records of the posts with these ids, by id; unknown ids are absent. */
  async recordsOf(ids: readonly number[]): Promise<Map<number, StampedPost>> {
    const found = (await stampsOf(this.parts.database, ids, true)) as StampedPost[];
    return new Map(found.map((post) => [post.id, post]));
  }

  private searchOf(context: RequestContext, query: PostQuery, request: PageRequest): PostSearch {
    const { config } = this.parts;
    return {
      tags: query.tags ?? "",
      raw: query.raw ?? false,
      also: query.also ?? "",
      order: query.order,
      viewer: context.viewer,
      limit: typeof request.first === "number" ? clampLimit(request.first, config.MAX_POSTS_PER_PAGE) : null,
      defaultLimit: DEFAULT_LIMIT,
      maxLimit: Math.min(request.most ?? config.MAX_POSTS_PER_PAGE, config.MAX_POSTS_PER_PAGE),
      page: selectPage(request, config, config.MAX_POSTS_PER_PAGE),
      maxTerms: config.TAGS_PER_SEARCH,
    };
  }
}

/** The posts with these ids by id, with records if these are not likely to be cached; unknown ids are absent. */
export async function postsByIds(
  { database, postCache }: Pick<PostServiceParts, "database" | "postCache">,
  ids: readonly number[],
): Promise<Map<number, PostStamp>> {
  const known = postCache.isLikely ? ids.filter((id) => postCache.has(id)) : [];
  const withRecord = known.length === ids.length ? false : sql`p.id <> ALL(${known}::int[])`;
  const posts = await stampsOf(database, ids, withRecord);
  return new Map(posts.map((post) => [post.id, post]));
}

function stampsOf(database: Database, ids: readonly number[], withRecord: WithRecord): Promise<PostStamp[]> {
  const rows = ids.length * (withRecord === false ? 1 : ROWS_PER_RECORD);
  return readStamps(database.byKeys(rows), { ids: () => sql`SELECT unnest(${[...ids]}::int[])` }, withRecord);
}

/** First day of the period, and the day after its last. */
function periodOf({ date, scale }: PopularQuery): [string, string] {
  const given = date?.trim().slice(0, 10);
  const day = given ? new Date(`${given}T00:00:00Z`) : new Date();
  // Date has a year 0, and would turn the 30th of February into a day of March
  const isDay = day.getUTCFullYear() > 0 && (!given || day.toISOString().startsWith(given));
  if (!isDay) throw failure("invalid_parameter", { parameter: "date" });
  const month = day.getUTCMonth();
  const monday = day.getUTCDate() - ((day.getUTCDay() + 6) % 7);
  const text = (months: number, days: number) =>
    new Date(new Date(day).setUTCMonth(months, days)).toISOString().slice(0, 10);
  const periods: Record<PopularScale, [string, string]> = {
    day: [text(month, day.getUTCDate()), text(month, day.getUTCDate() + 1)],
    week: [text(month, monday), text(month, monday + 7)],
    month: [text(month, 1), text(month + 1, 1)],
  };
  return periods[scale ?? "day"];
}
