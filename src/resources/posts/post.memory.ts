/**
 * A process's cache of posts: finished records and the texts of responses. It is never stale: entries are looked up by the
 * revisions that the post has now (`PostStamp`), which are read for each request.
 *
 * It is bounded in bytes, with eviction by the clock algorithm: a hand that goes round all posts spares those used since it last
 * passed. When the cache is full, a post is added at its second request, so that a client that reads the whole board once does not
 * evict what others use.
 */
import type { PostStamp } from "./post.records.js";

interface Made {
  /** what it is made for */
  purpose: string;
  value: unknown;
  bytes: number;
}

interface Entry {
  readonly id: number;
  revision: number;
  namesRevision: number;
  made: Made[];
  bytes: number;
  isUsed: boolean;
}

/** What an entry takes beside what was made. */
const ENTRY_BYTES = 300;
/** Purposes differ by the host that URLs begin with, which a client names: so many of a post are remembered. */
const MOST_PURPOSES = 6;
/** What takes a larger part of all than this is not remembered. */
const LARGEST_PART = 1 / 64;
/** Posts that were asked for lately, by the last digits of their ids. */
const RECENT = 65_536;
/** How much one look-up counts in the share of those that found something. */
const WEIGHT = 1 / 256;

export class PostMemory {
  /** how often what was looked for was remembered */
  readonly reads = { hits: 0, misses: 0 };
  private readonly entries = new Map<number, Entry>();
  private readonly ring: Entry[] = [];
  private readonly recent = new Int32Array(RECENT);
  private hand = 0;
  private bytes = 0;
  private share = 0;

  /** @param most bytes, as far as that is known */
  constructor(private readonly most: number) {}

  /** Whether most of what was looked for lately was remembered: then records are not worth reading before it is known. */
  get isLikely(): boolean {
    return this.share > 0.5;
  }

  /** Whether something is remembered of the post, of these revisions or others. */
  has(id: number): boolean {
    return this.entries.has(id);
  }

  /** What was made of the post as it is; undefined when it isn't remembered. */
  get(stamp: PostStamp, purpose: string): unknown {
    const entry = this.entries.get(stamp.id);
    const made = entry && isOf(entry, stamp) ? entry.made.find((each) => each.purpose === purpose) : undefined;
    this.reads[made ? "hits" : "misses"] += 1;
    this.share += ((made ? 1 : 0) - this.share) * WEIGHT;
    if (!entry || !made) return undefined;
    entry.isUsed = true;
    return made.value;
  }

  /**
   * Remembers what was made of a post, as far as there is room. It is shared from then on: nobody changes it.
   * @param bytes what the value takes
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
    this.resize(entry, [...others.slice(1 - MOST_PURPOSES), { purpose, value, bytes }]);
    while (this.bytes > this.most) this.advance();
  }

  /** Remembers what else was made of a post of which something is remembered: it counts as no request. */
  putBeside(stamp: PostStamp, purpose: string, value: unknown, bytes: number): void {
    if (this.has(stamp.id)) this.put(stamp, purpose, value, bytes);
  }

  /** The entry of a post that is remembered from now on; undefined for one that is not. */
  private admitted({ id, revision, namesRevision }: PostStamp): Entry | undefined {
    const place = id % RECENT;
    const isRecent = this.recent[place] === id;
    this.recent[place] = id;
    if (!isRecent && this.bytes > this.most * (1 - LARGEST_PART)) return undefined;
    const entry: Entry = { id, revision, namesRevision, made: [], bytes: ENTRY_BYTES, isUsed: true };
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

  /** Moves the hand on by one post, which goes unless it was used. */
  private advance(): void {
    if (this.hand >= this.ring.length) this.hand = 0;
    const entry = this.ring[this.hand] as Entry;
    if (entry.isUsed) {
      entry.isUsed = false;
      this.hand += 1;
      return;
    }
    const last = this.ring.pop() as Entry;
    if (last !== entry) this.ring[this.hand] = last;
    this.entries.delete(entry.id);
    this.bytes -= entry.bytes;
  }
}

const isOf = (entry: Entry, { revision, namesRevision }: PostStamp): boolean =>
  entry.revision === revision && entry.namesRevision === namesRevision;

/** Replicas and requests that took long ask for what was. */
const isOlder = ({ revision, namesRevision }: PostStamp, entry: Entry): boolean =>
  revision < entry.revision || namesRevision < entry.namesRevision;
