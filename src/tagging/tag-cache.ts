/**
 * What tags are called, remembered by the process. Tags are never renamed while they are in use and hardly ever change
 * their category, and every page of posts needs a few hundred of them.
 *
 * The cache is of one generation: the number of changes so far of names, categories and aliases, which triggers count in the
 * database. Statements that read posts also read the generation, and the cache is asked with it, so that no process returns names
 * from before a change that the rows already have. Each replica has a generation of its own, and so a cache of its own.
 */
import { LRUCache } from "lru-cache";
import { bytesOf } from "../lib/text.js";
import { type Queryable, sql } from "../database/client.js";
import type { TagSet } from "../search/posts/ast.js";
import type { TagCategoryNumber } from "./categories.js";

/** A tag as far as its posts show it. */
export interface TagWord {
  id: number;
  name: string;
  category: number;
}

/** The names of a post's tags in the order of the names, separated by blanks. */
export interface TagStrings {
  all: string;
  byCategory: Record<TagCategoryNumber, string>;
}

/** What is needed of a post. */
interface Tagged {
  tagIds: readonly number[];
  tagGeneration: number;
}

/** About 25 MB. */
const MAX_WORDS = 150_000;
/** Names of tags that there are, of 170 characters at most: no more than 10 MB. */
const MAX_NAMES = 10_000;
/** Bytes of the meta-tags whose shares are remembered, which are text of the caller's, and of those of one search. */
const MAX_SHARES_BYTES = 1_000_000;
const MAX_SHARE_BYTES = 2_000;
/** Counts that only choose the way of a search, and estimates, may be this old, in milliseconds. */
const COUNTS_FOR = 60_000;
/** What an entry takes beside its key. */
const ENTRY_BYTES = 200;

/** What one server's answers have said. */
class Memory {
  generation = -1;
  readonly words = new LRUCache<number, TagWord>({ max: MAX_WORDS });
  readonly sets = new LRUCache<string, TagSet>({ max: MAX_NAMES, ttl: COUNTS_FOR });
  readonly shares = new LRUCache<string, number>({
    maxSize: MAX_SHARES_BYTES,
    maxEntrySize: MAX_SHARE_BYTES,
    sizeCalculation: (_, metatags) => ENTRY_BYTES + bytesOf(metatags),
    ttl: COUNTS_FOR,
  });
  readonly boards = new LRUCache<"posts" | "estimate", number>({ max: 2, ttl: COUNTS_FOR });
}

/** Unless a later generation is known by now. */
function keep(memory: Memory, words: Iterable<TagWord>, generation: number): void {
  if (generation !== memory.generation) return;
  for (const word of words) memory.words.set(word.id, word);
}

export class TagCache {
  /** how often what was looked for was remembered */
  readonly reads = { words: { hits: 0, misses: 0 }, sets: { hits: 0, misses: 0 } };
  private readonly own = new Memory();
  private readonly others = new WeakMap<object, Memory>();

  /** @param source what the reader reads from at present, where it isn't always the same; undefined for the primary */
  constructor(
    private readonly reader: Queryable,
    private readonly source: () => object | undefined = () => undefined,
  ) {}

  private get memory(): Memory {
    const source = this.source();
    if (!source) return this.own;
    const memory = this.others.get(source) ?? new Memory();
    this.others.set(source, memory);
    return memory;
  }

  /** Forgets everything that is older than the generation. */
  learn(generation: number): void {
    const { memory } = this;
    if (generation <= memory.generation) return;
    memory.generation = generation;
    memory.words.clear();
    memory.sets.clear();
  }

  /** The generation as it is now. */
  async currentGeneration(): Promise<number> {
    const [row] = await this.reader.query<{ value: number }>(sql`SELECT value FROM tag_generation`);
    return row?.value ?? 0;
  }

  /** The tags of these ids by id. @param generation at least the one that the ids were read in */
  async wordsOf(ids: Iterable<number>, generation: number): Promise<Map<number, TagWord>> {
    this.learn(generation);
    const { memory } = this;
    const found = new Map<number, TagWord>();
    const missing: number[] = [];
    for (const id of ids) {
      const word = memory.words.get(id);
      if (word) found.set(id, word);
      else missing.push(id);
    }
    this.reads.words.hits += found.size;
    this.reads.words.misses += missing.length;
    const read = missing.length > 0 ? await this.read(missing) : [];
    for (const word of read) found.set(word.id, word);
    keep(memory, read, generation);
    return found;
  }

  /** Remembers tags that were read for something else. @param generation read in the same statement */
  rememberWords(words: Iterable<TagWord>, generation: number): void {
    this.learn(generation);
    keep(this.memory, words, generation);
  }

  /** The tag strings of each post. */
  async stringsOf(posts: readonly Tagged[]): Promise<TagStrings[]> {
    const generation = Math.max(...posts.map((post) => post.tagGeneration));
    this.learn(generation);
    const remembered = posts.map(({ tagIds }) => this.remembered(tagIds));
    const rest = posts.filter((_, index) => !remembered[index]);
    const words = await this.wordsOf(new Set(rest.flatMap((post) => post.tagIds)), generation);
    return posts.map(({ tagIds }, index) =>
      stringsOf(remembered[index] ?? tagIds.flatMap((id) => words.get(id) ?? [])),
    );
  }

  /** The tags of these ids where all of them are remembered, else null. */
  private remembered(ids: readonly number[]): TagWord[] | null {
    const { words } = this.memory;
    const found: TagWord[] = [];
    for (const id of ids) {
      const word = words.get(id);
      if (!word) return null;
      found.push(word);
    }
    this.reads.words.hits += ids.length;
    return found;
  }

  private read(ids: number[]): Promise<TagWord[]> {
    return this.reader.query<TagWord>(sql`
      SELECT id, name, category::int FROM tags WHERE id = ANY(${ids}::int[])`);
  }

  /** What a name in a search stands for, aliases followed; undefined when it isn't remembered. */
  setOf(name: string): TagSet | undefined {
    const set = this.memory.sets.get(name);
    this.reads.sets[set ? "hits" : "misses"] += 1;
    return set;
  }

  /** About how many posts there are; undefined when it isn't remembered. */
  get posts(): number | undefined {
    return this.memory.boards.get("posts");
  }

  /** PostgreSQL's estimate of how many posts there are; undefined when it isn't remembered. */
  get estimate(): number | undefined {
    return this.memory.boards.get("estimate");
  }

  rememberEstimate(posts: number): void {
    this.memory.boards.set("estimate", posts);
  }

  /** The share of posts that meta-tags leave over, as PostgreSQL estimated it lately. That of long texts isn't remembered. */
  shareOf(metatags: string): number | undefined {
    return this.memory.shares.get(metatags);
  }

  rememberShare(metatags: string, share: number): void {
    this.memory.shares.set(metatags, share);
  }

  /** Remembers what was looked up. @param generation the one known before it was looked up */
  remember(names: ReadonlyMap<string, TagSet>, posts: number, generation: number): void {
    const { memory } = this;
    memory.boards.set("posts", posts);
    if (generation !== memory.generation) return;
    for (const [name, set] of names) memory.sets.set(name, set);
  }

  /** The generation of what is remembered. */
  get known(): number {
    return this.memory.generation;
  }
}

function stringsOf(words: TagWord[]): TagStrings {
  const byCategory: Record<TagCategoryNumber, string> = { 0: "", 1: "", 3: "", 4: "", 5: "" };
  let all = "";
  words.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, category } of words) {
    const among = byCategory[category as TagCategoryNumber];
    byCategory[category as TagCategoryNumber] = among === "" ? name : `${among} ${name}`;
    all = all === "" ? name : `${all} ${name}`;
  }
  return { all, byCategory };
}
