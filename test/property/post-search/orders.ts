/** Every deterministic order, by sorting in memory. */
import { type BoardPost, childrenByParent, type MemoryBoard, NOW, VOCABULARY } from "./board.js";

type Key = (post: BoardPost) => number | string | null;

export interface MemoryOrder {
  key: Key;
  direction: 1 | -1;
  /** where posts without a key stand */
  missing?: "first" | "last";
  /** of ids among equals; by default that of the key */
  ties?: 1 | -1;
  where?: (post: BoardPost) => boolean;
}

const DAY = 86_400_000;

/** Posts in an order. */
export function sorted(posts: readonly BoardPost[], { key, direction, missing, ties }: MemoryOrder): BoardPost[] {
  const keys = new Map(posts.map((post) => [post.id, key(post)]));
  const compare = (x: BoardPost, y: BoardPost): number => {
    const [a, b] = [keys.get(x.id) ?? null, keys.get(y.id) ?? null];
    if (a !== b) {
      if (a === null) return missing === "first" ? -1 : 1;
      if (b === null) return missing === "first" ? 1 : -1;
      return (a < b ? -1 : 1) * direction;
    }
    return (x.id - y.id) * (ties ?? direction);
  };
  return [...posts].sort(compare);
}

const both = (name: string, key: Key, missing?: "last"): Record<string, MemoryOrder> => {
  const more = missing ? { missing } : {};
  return {
    [name]: { key, direction: -1, ...more },
    [`${name}_desc`]: { key, direction: -1, ...more },
    [`${name}_asc`]: { key, direction: 1, ...more },
  };
};

const tagsOf =
  (category: number): Key =>
  (post) =>
    VOCABULARY.filter(([name, of]) => of === category && post.tags.includes(name)).length;

/** How many of each countable thing a post has. */
export const counts = ({ posts, pools }: MemoryBoard): Record<string, (post: BoardPost) => number> => {
  const children = childrenByParent(posts);
  const childrenOf = (post: BoardPost) => children.get(post.id) ?? [];
  const poolsOf = (post: BoardPost) => pools.filter((pool) => pool.posts.includes(post.id));
  return {
    comment: (p) => p.comments.length,
    active_comment: (p) => p.comments.filter((made) => !made.deleted).length,
    deleted_comment: (p) => p.comments.filter((made) => made.deleted).length,
    note: (p) => p.notes.length,
    active_note: (p) => p.notes.filter((made) => !made.deleted).length,
    deleted_note: (p) => p.notes.filter((made) => made.deleted).length,
    flag: (p) => p.flags.length,
    appeal: (p) => p.appeals.length,
    approval: (p) => p.approvals.length,
    child: (p) => childrenOf(p).length,
    active_child: (p) => childrenOf(p).filter((child) => !child.deleted).length,
    deleted_child: (p) => childrenOf(p).filter((child) => child.deleted).length,
    pool: (p) => poolsOf(p).length,
    active_pool: (p) => poolsOf(p).filter((pool) => !pool.deleted).length,
    deleted_pool: (p) => poolsOf(p).filter((pool) => pool.deleted).length,
    series_pool: (p) => poolsOf(p).filter((pool) => !pool.deleted && pool.category === "series").length,
    collection_pool: (p) => poolsOf(p).filter((pool) => !pool.deleted && pool.category === "collection").length,
  };
};

/** The plural of what `counts` counts. */
export const plural = (name: string): string => (name.endsWith("child") ? `${name}ren` : `${name}s`);

const queuedAt: Key = ({ created, flags, appeals }) =>
  Math.max(created, ...flags.filter((flag) => !flag.deletion).map(({ at }) => at), ...appeals.map(({ at }) => at));

const hotness: Key = (post) =>
  Math.log(post.ups - post.downs) / Math.log(3) + (post.created - Date.parse("2005-05-24T00:00:00Z")) / 1000 / 35_000;

/** What a search without an order gets. */
export const NEWEST: MemoryOrder = { key: () => null, direction: -1 };
export const OLDEST: MemoryOrder = { key: () => null, direction: 1 };

/** By name, but for `random`. `custom` depends on the search and stands here for one without ids. */
export function orders(board: MemoryBoard): Record<string, MemoryOrder> {
  const counted = Object.entries(counts(board)).flatMap(([name, key]) => [
    both(`${name}_count`, key),
    both(plural(name), key),
  ]);
  const hasCommentary = (post: BoardPost) => post.commentary !== null;
  const written: Record<string, MemoryOrder> = both("artcomm", (p) => p.commentary?.updated ?? null);
  return {
    id: OLDEST,
    id_asc: OLDEST,
    id_desc: NEWEST,
    none: NEWEST,
    custom: NEWEST,
    ...both("score", (p) => p.ups - p.downs),
    ...both("upvotes", (p) => p.ups),
    ...both("downvotes", (p) => p.downs),
    // the most down votes come first, and among equals the oldest: the least of a negative number
    downvotes: { key: (p) => p.downs, direction: -1, ties: 1 },
    downvotes_desc: { key: (p) => p.downs, direction: -1, ties: 1 },
    downvotes_asc: { key: (p) => p.downs, direction: 1, ties: -1 },
    ...both("favcount", (p) => p.favCount),
    ...both("change", (p) => p.updated),
    ...both("created_at", (p) => p.created),
    ...both("mpixels", (p) => p.width * p.height),
    ...both("filesize", (p) => p.fileSize),
    ...both("width", (p) => p.width),
    ...both("height", (p) => p.height),
    landscape: { key: (p) => p.width / p.height, direction: -1 },
    portrait: { key: (p) => p.width / p.height, direction: 1 },
    ...both("duration", (p) => p.duration, "last"),
    ...both("md5", (p) => p.md5),
    ...both("tagcount", (p) => p.tags.length),
    ...both("gentags", tagsOf(0)),
    ...both("arttags", tagsOf(1)),
    ...both("copytags", tagsOf(3)),
    ...both("chartags", tagsOf(4)),
    ...both("metatags", tagsOf(5)),
    ...Object.assign({}, ...counted),
    ...both("comment", (p) => p.commentedAt, "last"),
    ...both("comm", (p) => p.commentedAt, "last"),
    ...both("comment_bumped", (p) => p.bumpedAt, "last"),
    comment_bumped_asc: { key: (p) => p.bumpedAt, direction: 1, missing: "first" },
    ...both("note", (p) => p.notedAt, "last"),
    note_asc: { key: (p) => p.notedAt, direction: 1, missing: "first" },
    ...Object.fromEntries(Object.entries(written).map(([name, order]) => [name, { ...order, where: hasCommentary }])),
    ...both("modqueue", queuedAt),
    rank: {
      key: hotness,
      direction: -1,
      where: (p) => p.ups > p.downs && p.created > NOW.getTime() - 2 * DAY,
    },
  };
}
