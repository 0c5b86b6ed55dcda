/** Related tags: the most frequent tags in a sample of the posts that a search finds. */
import type { RequestContext } from "../../context.js";
import { type Sql, sql } from "../../database/client.js";
import { requireText } from "../../errors.js";
import { isStorable } from "../../lib/text.js";
import { requireLength, SEARCH_BYTES } from "../../search/bounds.js";
import { findMetatag } from "../../search/posts/metatags/index.js";
import { parseSearch } from "../../search/posts/parser.js";
import { countPosts, searchPostIds } from "../../search/posts/search.js";
import { resolveTerms, tagNamesIn } from "../../search/posts/tags.js";
import { likePattern } from "../../search/pattern.js";
import type { ServiceParts } from "../shared/service.js";
import { type TagRecord, TagService } from "../tags/tag.service.js";
import { composedLower, toTagSpelling } from "../../lib/names.js";

export interface RelatedTagRecord {
  tag: TagRecord;
  /** share of the sampled posts that have the tag, 0 to 1 */
  frequency: number;
  /** similarity of the posts of the search and those of the tag, 0 to 1, by three measures */
  cosineSimilarity: number;
  jaccardSimilarity: number;
  overlapCoefficient: number;
}

export interface RelatedTagsRecord {
  query: string;
  category: number | null;
  /** posts that the search finds */
  postCount: number;
  /** the tag, if the search is the name of one */
  tag: TagRecord | null;
  relatedTags: RelatedTagRecord[];
  /** tags that the wiki page of this title links to */
  wikiPageTags: TagRecord[];
}

/** Some posts of a search, and how many it finds. */
interface Sample {
  ids: number[];
  postCount: number;
}

/** Size of the sample, in the order of md5, which is independent of the tags. */
const SAMPLE = 300;
/** From this number of posts on, looking up a tag's posts by hash is faster than sorting them. */
const MANY = 2_000;
/** From this share of posts on, a walk by hash finds its sample soon. */
const COMMON = 0.05;
const MOST = 25;
const MOST_MATCHING = 50;
/** Tags that a wiki page links to; pages that are lists have hundreds. */
const MOST_LINKED = 1_000;

export class RelatedTagService {
  private readonly tags: TagService;

  constructor(private readonly parts: ServiceParts) {
    this.tags = new TagService(parts);
  }

  /**
   * The 25 tags most often on the posts that a search finds; for a pattern with `*`, the 50 most used tags that match it.
   * @throws BoardError 424 for no text, one that is too long, or too many terms
   */
  async find(context: RequestContext, text: string, category: number | null): Promise<RelatedTagsRecord> {
    requireText("query", text);
    requireLength(text, SEARCH_BYTES);
    const query = composedLower(text.trim());
    const { tags } = this;
    const [tag, wikiPageTags] = await Promise.all([tags.byName(query), this.wikiPageTags(query)]);
    const facts = { query, category, tag, wikiPageTags };
    if (!isStorable(query)) return { ...facts, postCount: 0, relatedTags: [] };
    if (query.includes("*")) return { ...facts, postCount: 0, relatedTags: await this.matching(query, category) };
    return { ...facts, ...(await this.sampled(context, query, category)) };
  }

  private async matching(query: string, category: number | null): Promise<RelatedTagRecord[]> {
    const rows = await this.parts.database.query<{ id: number }>(sql`
      SELECT id FROM tags WHERE name LIKE ${likePattern(query)} AND post_count > 0 AND ${inCategory(category)}
       ORDER BY post_count DESC, id DESC LIMIT ${MOST_MATCHING}`);
    const found = await this.tags.byIds(rows.map((row) => row.id));
    const none = { frequency: 0, cosineSimilarity: 0, jaccardSimilarity: 0, overlapCoefficient: 0 };
    return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map((tag) => ({ tag, ...none }));
  }

  private async sampled(context: RequestContext, query: string, category: number | null) {
    const { tags } = this;
    const { database } = this.parts;
    const { ids, postCount } = (await this.sampleOfTag(query)) ?? (await this.sampleOfSearch(context, query));
    // counted before the tags are looked up, since most of some thousand are on one post; without a category, only the most
    // frequent ones are looked up, including all that are as frequent as the last
    const most = category === null ? sql`ORDER BY overlap DESC FETCH FIRST (${MOST}::int) ROWS WITH TIES` : sql``;
    const rows = await database.query<{ id: number; overlap: number }>(sql`
      SELECT counted.id, counted.overlap
        FROM (SELECT tag_id AS id, count(*)::int AS overlap
                FROM posts, LATERAL unnest(posts.tag_ids) AS tag_id
               WHERE posts.id = ANY(${ids}::int[]) GROUP BY tag_id ${most}) counted
        JOIN tags ON tags.id = counted.id
       WHERE ${inCategory(category)} ORDER BY counted.overlap DESC, tags.post_count, tags.id LIMIT ${MOST}`);
    const found = await tags.byIds(rows.map((row) => row.id));
    const relatedTags = rows.flatMap(({ id, overlap }) => {
      const tag = found.get(id);
      return tag ? [similarity(tag, overlap / ids.length, postCount)] : [];
    });
    return { postCount, relatedTags };
  }

  private async sampleOfSearch({ viewer }: RequestContext, query: string): Promise<Sample> {
    const { database, config } = this.parts;
    const search = { tags: query, raw: false, viewer, maxTerms: config.TAGS_PER_SEARCH };
    const { ids, hasMore } = await searchPostIds(database, {
      ...search,
      also: "order:md5",
      limit: SAMPLE,
      defaultLimit: SAMPLE,
      maxLimit: SAMPLE,
      page: { kind: "number", page: 1 },
    });
    return { ids, postCount: hasMore ? (await countPosts({ db: database }, search)).count : ids.length };
  }

  /**
   * The same sample for a single tag that has too many posts to sort and too few for a walk; null for other searches. As hashes are
   * evenly distributed, the sample is expected among the greatest ones of twice as many posts, which the indexes of tags and
   * hashes find together.
   */
  private async sampleOfTag(query: string): Promise<Sample | null> {
    const { database, config } = this.parts;
    const { query: term } = parseSearch(query, (name) => findMetatag(name)?.name, config.TAGS_PER_SEARCH);
    if (term.type !== "tag") return null;
    const asked = await resolveTerms({ db: database }, tagNamesIn(term));
    const set = (term.aliased ? asked.names : asked.literals).get(term.name);
    if (!set || set.ids.length > 1 || set.count < MANY || set.count > asked.posts * COMMON) return null;
    const from = Math.floor((1 - (2 * SAMPLE) / set.count) * 0xffff_ffff).toString(16);
    const rows = await database.query<{ id: number }>(sql`
      SELECT posts.id FROM posts
       WHERE posts.tag_ids @> ${set.ids}::int[] AND posts.md5 >= ${from.padStart(8, "0")}::bpchar
       ORDER BY posts.md5 DESC LIMIT ${SAMPLE}`);
    return rows.length < SAMPLE ? null : { ids: rows.map((row) => row.id), postCount: set.count };
  }

  /** Tags linked from the wiki page with this title, except links to lists and help pages. */
  private async wikiPageTags(title: string): Promise<TagRecord[]> {
    if (!isStorable(title)) return [];
    const page = await this.parts.database.wikiPage.findFirst({
      where: { title, isDeleted: false },
      select: { body: true },
    });
    const links = [...(page?.body ?? "").matchAll(/\[\[([^[\]|]{1,170})(?:\|[^[\]]*)?\]\]/g)];
    const names = links.map((link) => toTagSpelling(link[1] ?? ""));
    const wanted = [...new Set(names)].filter(
      (name) => !/^(list_of_|tag_group|pool_group|howto:|about:|help:|template:)/.test(name),
    );
    const found = await this.tags.byNames(wanted.slice(0, MOST_LINKED));
    return wanted.flatMap((name) => found.get(name) ?? []);
  }
}

const inCategory = (category: number | null): Sql => (category === null ? sql`TRUE` : sql`tags.category = ${category}`);

/** Estimates the overlap on the whole board from its share of the sample; at most the tag's own posts. */
function similarity(tag: TagRecord, frequency: number, postCount: number): RelatedTagRecord {
  const overlap = Math.min(frequency * postCount, tag.postCount);
  const union = postCount + tag.postCount - overlap;
  return {
    tag,
    frequency,
    cosineSimilarity: ratio(overlap, Math.sqrt(postCount * tag.postCount)),
    jaccardSimilarity: ratio(overlap, union),
    overlapCoefficient: ratio(overlap, Math.min(postCount, tag.postCount)),
  };
}

const ratio = (part: number, whole: number): number => (whole > 0 ? Math.min(1, part / whole) : 0);
