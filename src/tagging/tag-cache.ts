/**
 * A cache of tags per process. Tags in use are never renamed and rarely change their category, and every page of posts needs a few
 * hundred of them.
 *
 * All entries belong to one generation: a number that triggers in the database raise with every change of names, categories and
 * aliases. Statements that read posts also read the generation, and pass it to the cache, so that names are never older than the
 * posts that they are returned with. Replicas have different generations at a time, so each has a cache of its own.
 */
import { LRUCache } from "lru-cache";
import { bytesOf } from "../lib/text.js";
import { type Database, sql } from "../database/client.js";
import type { TagSet } from "../search/posts/ast.js";
import { CachedTags, keyed, type KeyedTag, sortTags, stringsOf, type TagStrings } from "./cached-tags.js";
import type { TagRow } from "./facts.js";

/** A post, as far as the cache needs it. */
interface Tagged {
  tagIds: readonly number[];
  tagGeneration: number;
}

/** A power of two: about 30 MB with as many tags. */
const MAX_TAGS = 262_144;
/** Names of existing tags, of at most 170 characters: at most 10 MB. */
const MAX_NAMES = 10_000;
/** Maximum size of all estimates of meta-tags and of one, in bytes: their keys, the meta-tags of searches, are text from callers. */
const MAX_ESTIMATES_BYTES = 1_000_000;
const MAX_ESTIMATE_BYTES = 2_000;
/** Time to live of counts and estimates in milliseconds; only query plans depend on them. */
const COUNTS_TTL_MS = 60_000;
/** Milliseconds that no statement takes: one that reads an older generation later says that a failover has lost a change. */
const LONGEST_STATEMENT_MS = 60_000;
/** Size of an entry without its key. */
const ENTRY_BYTES = 200;

/** PostgreSQL's estimate of the posts of meta-tags. */
export interface MetatagEstimate {
  /** share of all posts, 0 to 1 */
  metatagShare: number;
  /** what reading them costs, in PostgreSQL's unit */
  metatagCost: number;
}

/** The cache of one database server. */
class Memory {
  generation = -1;
  /** `performance.now()` when the generation was read for the first time */
  learnedAt = 0;
  readonly tags = new CachedTags(MAX_TAGS);
  readonly sets = new LRUCache<string, TagSet>({
    maxSize: MAX_NAMES, // with `max`, it would make all of its places at start
    sizeCalculation: () => 1,
    ttl: COUNTS_TTL_MS,
  });
  readonly metatags = new LRUCache<string, MetatagEstimate>({
    maxSize: MAX_ESTIMATES_BYTES,
    maxEntrySize: MAX_ESTIMATE_BYTES,
    sizeCalculation: (_, metatags) => ENTRY_BYTES + bytesOf(metatags),
    ttl: COUNTS_TTL_MS,
  });
  readonly counts = new LRUCache<"posts" | "estimate", number>({ max: 2, ttl: COUNTS_TTL_MS });
}

const NO_TAGS = new CachedTags(1);

/** Caches tags, unless their generation is outdated. */
function keep(memory: Memory, tags: Iterable<TagRow>, generation: number): void {
  if (generation !== memory.generation) return;
  for (const tag of tags) memory.tags.set(tag);
}

/** The tags of posts that are neither cached nor were read. The cache may lose some while others are read. */
function missingOf(posts: readonly Tagged[], tags: CachedTags, read: ReadonlyMap<number, unknown>): number[] {
  const missing = new Set<number>();
  for (const { tagIds } of posts) for (const id of tagIds) if (!tags.get(id) && !read.has(id)) missing.add(id);
  return [...missing];
}

export class TagCache {
  readonly reads = { tags: { hits: 0, misses: 0 }, sets: { hits: 0, misses: 0 } };
  private readonly primary = new Memory();
  private readonly replicas = new WeakMap<object, Memory>();

  /** @param source the replica that the reader currently reads from; undefined for the primary */
  constructor(
    private readonly reader: Pick<Database, "byKeys">,
    private readonly source: () => object | undefined = () => undefined,
  ) {}

  private get memory(): Memory {
    const source = this.source();
    if (!source) return this.primary;
    const memory = this.replicas.get(source) ?? new Memory();
    this.replicas.set(source, memory);
    return memory;
  }

  /** Starts this generation if it is newer, or the database's after a failover, which invalidates all names. */
  learn(generation: number, memory: Memory = this.memory): void {
    if (generation === memory.generation) return;
    const now = performance.now();
    if (generation < memory.generation && now - memory.learnedAt < LONGEST_STATEMENT_MS) return;
    memory.generation = generation;
    memory.learnedAt = now;
    memory.tags.clear();
    memory.sets.clear();
  }

  async currentGeneration(): Promise<number> {
    const [row] = await this.reader.byKeys(1).query<{ value: number }>(sql`SELECT value FROM tag_generation`);
    return row?.value ?? 0;
  }

  /** Caches tags that were read elsewhere. @param generation read by the same statement */
  rememberTags(tags: Iterable<TagRow>, generation: number): void {
    this.learn(generation);
    keep(this.memory, tags, generation);
  }

  /** The tag strings of each post, in the order of the posts. */
  stringsOf(posts: readonly Tagged[]): Promise<TagStrings[]> {
    return this.ofEach(posts, stringsOf);
  }

  /** The ids of each post's tags, in the order of the names. */
  sortedIdsOf(posts: readonly Tagged[]): Promise<number[][]> {
    return this.ofEach(posts, (tags) => tags.map(({ id }) => id));
  }

  /**
   * What is made of the sorted tags of each post; tags that were removed meanwhile are left out. All are from one memory, also if the replica
   * fails meanwhile: the primary's may be older than the posts.
   */
  private async ofEach<T>(posts: readonly Tagged[], make: (tags: KeyedTag[]) => T): Promise<T[]> {
    const generation = Math.max(...posts.map((post) => post.tagGeneration));
    const { memory } = this;
    this.learn(generation, memory);
    const tags = generation < memory.generation ? NO_TAGS : memory.tags; // those of the memory may be lost by a failover
    const read = new Map<number, KeyedTag | null>();
    for (let missing = missingOf(posts, tags, read); missing.length > 0; missing = missingOf(posts, tags, read)) {
      for (const id of missing) read.set(id, null);
      const rows = await this.read(missing);
      keep(memory, rows, generation);
      for (const tag of rows) read.set(tag.id, keyed(tag));
    }
    this.reads.tags.misses += read.size;
    this.reads.tags.hits += posts.reduce((sum, { tagIds }) => sum + tagIds.length, -read.size);
    return posts.map(({ tagIds }) =>
      make(
        sortTags(tagIds.map((id) => tags.get(id) ?? read.get(id)).filter((tag) => tag !== null && tag !== undefined)),
      ),
    );
  }

  private read(ids: number[]): Promise<TagRow[]> {
    return this.reader.byKeys(ids.length).query<TagRow>(sql`
      SELECT id, name, category::int FROM tags WHERE id = ANY(${ids}::int[])`);
  }

  /** The tags of a name in a search, with aliases resolved; undefined if it isn't cached. */
  setOf(name: string): TagSet | undefined {
    const set = this.memory.sets.get(name);
    this.reads.sets[set ? "hits" : "misses"] += 1;
    return set;
  }

  /** `posts`: the highest post id, an approximation of the number of posts; `estimate`: PostgreSQL's estimate of that number. */
  get counts(): Memory["counts"] {
    return this.memory.counts;
  }

  /** PostgreSQL's estimates of the posts of meta-tags, by the text of these; not of those whose text is too long. */
  get estimates(): Memory["metatags"] {
    return this.memory.metatags;
  }

  /** Caches the result of a lookup. @param generation the value of `known` before the lookup */
  remember(names: Iterable<readonly [string, TagSet]>, posts: number, generation: number): void {
    const { memory } = this;
    memory.counts.set("posts", posts);
    if (generation !== memory.generation) return;
    for (const [name, set] of names) memory.sets.set(name, set);
  }

  get known(): number {
    return this.memory.generation;
  }
}
