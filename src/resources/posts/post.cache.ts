/**
 * A process's cache of posts: finished records and the texts of responses. It is never stale: entries are looked up by the
 * revisions that the post has now (`PostStamp`), which are read for each request.
 *
 * It is limited in bytes, with eviction by the clock algorithm: a hand that goes round all posts spares entries that were used since it
 * last passed. When the cache is full, a post is added at its second request, so that a client that reads the whole board once does not
 * evict what others use.
 */
import type { PostStamp } from "./post.records.js";

interface Made {
  purpose: string;
  value: unknown;
  bytes: number;
  isUsed: boolean;
}

interface Entry {
  readonly id: number;
  revision: number;
  namesRevision: number;
  made: Made[];
  bytes: number;
}

/** Memory of an entry besides its value. */
const ENTRY_BYTES = 300;
/** Purposes differ by the host of URLs, which clients choose: maximum number of them per post. */
const MOST_PURPOSES = 6;
/** Values larger than this share of the cache are not stored. */
const LARGEST_PART = 1 / 64;
/** Purposes whose texts are shared by all entries: their number, and the characters of the longest. Clients choose the host in them. */
const SHARED_PURPOSES = 1_000;
const SHARED_LENGTH = 300;
/** Recently requested posts, by the last digits of their ids. */
const RECENT = 65_536;
/** Weight of one lookup in the hit rate. */
const WEIGHT = 1 / 256;

export class PostCache {
  /** number of hits and misses */
  readonly reads = { hits: 0, misses: 0 };
  private readonly entries = new Map<number, Entry>();
  private readonly ring: Entry[] = [];
  private readonly recent = new Int32Array(RECENT);
  private readonly purposes = new Map<string, string>();
  private hand = 0;
  private bytes = 0;
  private share = 0;

  /** @param most maximum size in bytes, approximately */
  constructor(private readonly most: number) {}

  /** Whether most recent lookups were hits: then records are read only after a miss. */
  get isLikely(): boolean {
    return this.share > 0.5;
  }

  /** Whether something of the post is cached, for these revisions or others. */
  has(id: number): boolean {
    return this.entries.has(id);
  }

  /**
   * The same string for the same purpose, to be used for `get` and `put`: it is compared by its address, and a copy for each entry would take
   * a tenth of the memory.
   */
  purpose(text: string): string {
    const known = this.purposes.get(text);
    if (known !== undefined || text.length > SHARED_LENGTH) return known ?? text;
    if (this.purposes.size >= SHARED_PURPOSES) this.purposes.clear();
    this.purposes.set(text, text);
    return text;
  }

  /** The value for the post's current revisions; undefined on a miss. */
  get(stamp: PostStamp, purpose: string): unknown {
    const entry = this.entries.get(stamp.id);
    const made = entry && isOf(entry, stamp) ? madeFor(entry, purpose) : undefined;
    this.reads[made ? "hits" : "misses"] += 1;
    this.share += ((made ? 1 : 0) - this.share) * WEIGHT;
    if (!made) return undefined;
    made.isUsed = true;
    return made.value;
  }

  /**
   * Stores a value of a post, if there is room. It is shared from then on and must not be changed.
   * @param bytes size of the value
   */
  put(stamp: PostStamp, purpose: string, value: unknown, bytes: number): void {
    if (bytes > this.most * LARGEST_PART) return;
    const entry = this.entries.get(stamp.id) ?? this.admitted(stamp);
    if (!entry || isOlder(stamp, entry)) return;
    if (!isOf(entry, stamp)) {
      this.resize(entry, []);
      entry.revision = stamp.revision;
      entry.namesRevision = stamp.namesRevision;
    }
    const others = entry.made.filter((each) => each.purpose !== purpose);
    const made = { purpose, value, bytes, isUsed: true };
    // not spread: V8 gives arrays that are spread or filtered room for sixteen more, 130 bytes
    this.resize(entry, others.slice(1 - MOST_PURPOSES).concat(made));
    while (this.bytes > this.most) this.advance();
  }

  /** Stores a by-product of a post that has a cached value: it does not count as a request. */
  putBeside(stamp: PostStamp, purpose: string, value: unknown, bytes: number): void {
    if (this.has(stamp.id)) this.put(stamp, purpose, value, bytes);
  }

  /** The entry of a post, created if it is admitted; otherwise undefined. */
  private admitted({ id, revision, namesRevision }: PostStamp): Entry | undefined {
    const place = id % RECENT;
    const isRecent = this.recent[place] === id;
    this.recent[place] = id;
    if (!isRecent && this.bytes > this.most * (1 - LARGEST_PART)) return undefined;
    const entry: Entry = { id, revision, namesRevision, made: [], bytes: ENTRY_BYTES };
    this.entries.set(id, entry);
    this.ring.push(entry);
    this.bytes += ENTRY_BYTES;
    return entry;
  }

  private resize(entry: Entry, made: Made[]): void {
    const bytes = made.reduce((sum, each) => sum + each.bytes, ENTRY_BYTES);
    this.bytes += bytes - entry.bytes;
    entry.made = made;
    entry.bytes = bytes;
  }

  /** Advances the hand by one post, and evicts what was not used of it; all of it if nothing was. */
  private advance(): void {
    if (this.hand >= this.ring.length) this.hand = 0;
    const entry = this.ring[this.hand] as Entry;
    const used = entry.made.filter(({ isUsed }) => isUsed);
    if (used.length > 0) {
      if (used.length < entry.made.length) this.resize(entry, used.slice());
      for (const made of used) made.isUsed = false;
      this.hand += 1;
      return;
    }
    const last = this.ring.pop() as Entry;
    if (last !== entry) this.ring[this.hand] = last;
    this.entries.delete(entry.id);
    this.bytes -= entry.bytes;
  }
}

/** A loop, since a function for each lookup takes longer. */
function madeFor({ made }: Entry, purpose: string): Made | undefined {
  for (const each of made) if (each.purpose === purpose) return each;
  return undefined;
}

const isOf = (entry: Entry, { revision, namesRevision }: PostStamp): boolean =>
  entry.revision === revision && entry.namesRevision === namesRevision;

/** Whether a stamp is older, as from replicas and slow requests. */
const isOlder = ({ revision, namesRevision }: PostStamp, entry: Entry): boolean =>
  revision < entry.revision || namesRevision < entry.namesRevision;
