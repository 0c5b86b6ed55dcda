/** Random boards in memory: the same number makes the same board. `write.ts` writes them into a database. */

export const NOW = new Date("2026-03-31T12:30:00.000Z");
const DAY = 86_400_000;

export const USERS = ["albert", "Berta", "Two_Words", "any_one"] as const;
/** Whose favorites are private. */
export const PRIVATE = "Berta";

/** Names, categories and the share of posts that have the tag. "gone" is a row without posts. */
export const VOCABULARY: readonly (readonly [name: string, category: number, share: number])[] = [
  ["a", 0, 0.6],
  ["b", 1, 0.45],
  ["c", 3, 0.3],
  ["d", 4, 0.15],
  ["e_(f)", 5, 0.1],
  [":)", 0, 0.1],
  ["g:1", 0, 0.05],
  ["wide_x", 0, 0.2],
  ["wide_y", 4, 0.02],
  ["x_wide", 0, 0.01],
  ["two_words", 0, 0.05],
  ["shadow", 0, 0.2],
  ["50%", 0, 0.1],
  ["gone", 0, 0],
];
export const TAGS = VOCABULARY.map(([name]) => name);

/** Antecedent, consequent, status. "shadow" is a tag on posts as well, "to_nothing" leads to no tag. */
export const ALIASES: readonly (readonly [string, string, string])[] = [
  ["old_a", "a", "active"],
  ["old_b", "b", "processing"],
  ["shadow", "c", "active"],
  ["to_nothing", "no_tag", "active"],
  ["asked_for", "d", "pending"],
  ["taken_back", "d", "deleted"],
];

export interface BoardPost {
  id: number;
  tags: string[];
  rating: "s" | "q" | "e";
  ups: number;
  /** positive */
  downs: number;
  favCount: number;
  width: number;
  height: number;
  fileSize: number;
  ext: string;
  /** seconds */
  duration: number | null;
  md5: string;
  source: string;
  pixivId: number | null;
  parent: number | null;
  uploader: string;
  approver: string | null;
  created: number;
  updated: number;
  pending: boolean;
  flagged: boolean;
  deleted: boolean;
  banned: boolean;
  locks: { rating: boolean; note: boolean; status: boolean };
  embedded: boolean;
  commentedAt: number | null;
  bumpedAt: number | null;
  notedAt: number | null;
  comments: { by: string; deleted: boolean }[];
  notes: { by: string; deleted: boolean; editors: string[] }[];
  commentary: { editors: string[]; updated: number } | null;
  flags: { at: number; deletion: boolean; by: string }[];
  appeals: { at: number; by: string }[];
  approvals: string[];
  disapprovals: string[];
  favorites: { by: string; id: number }[];
  votes: { by: string; score: 1 | -1 }[];
}

export interface BoardPool {
  id: number;
  name: string;
  category: "series" | "collection";
  deleted: boolean;
  posts: number[];
}

export interface BoardGroup {
  id: number;
  name: string;
  by: (typeof USERS)[number];
  isPublic: boolean;
  posts: number[];
}

export interface MemoryBoard {
  posts: BoardPost[];
  pools: BoardPool[];
  groups: BoardGroup[];
}

/** mulberry32: numbers of 0 to 1 that look random, and are the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

class Dice {
  private readonly next: () => number;

  constructor(seed: number) {
    this.next = numbers(seed);
  }

  chance = (share: number): boolean => this.next() < share;
  whole = (below: number): number => Math.floor(this.next() * below);
  one = <T>(list: readonly T[]): T => list[this.whole(list.length)] as T;
  some = <T>(list: readonly T[], share: number): T[] => list.filter(() => this.chance(share));
  /** nothing, once or a few times */
  few = <T>(share: number, make: () => T): T[] =>
    this.chance(share) ? Array.from({ length: 1 + this.whole(3) }, make) : [];
}

/** A time in the last weeks: any, midnight, or whole days ago, so that the ends of ranges are met. */
function time(dice: Dice): number {
  const days = dice.whole(40);
  if (dice.chance(0.2)) return Math.floor(NOW.getTime() / DAY) * DAY - days * DAY;
  if (dice.chance(0.2)) return NOW.getTime() - days * DAY;
  return NOW.getTime() - 1 - dice.whole(40 * DAY);
}

const timeOrNull = (dice: Dice, share: number): number | null => (dice.chance(share) ? time(dice) : null);

const SOURCES = ["", "https://Example.com/1", "https://example.com/12", "a book, page 2", "100%_x", "100%yx", '"q"'];
const SIZES = [100, 200, 300, 400, 450, 1000];

function makePost(id: number, dice: Dice): BoardPost {
  const deleted = dice.chance(0.1);
  const author = (): string => dice.one(USERS);
  const ext = dice.one(["jpg", "jpg", "png", "gif", "webm", "mp4"]);
  return {
    id,
    tags: VOCABULARY.filter(([, , share]) => dice.chance(share)).map(([name]) => name),
    rating: dice.one(["s", "s", "q", "e"]),
    ups: dice.whole(8),
    downs: dice.whole(5),
    favCount: dice.whole(6),
    width: dice.one(SIZES),
    height: dice.one(SIZES),
    fileSize: dice.one([1, 1023, 1024, 1025, 19_455, 19_456, 20_480, 21_504, 21_505, 1_048_576]),
    ext,
    duration: ext === "webm" || ext === "mp4" ? dice.one([0.5, 30, 85.5, 90, 94.5, 95, 600]) : null,
    md5: ((id * 2_654_435_761) % 2 ** 32).toString(16).padStart(32, "0"),
    source: dice.one(SOURCES),
    pixivId: dice.chance(0.3) ? 60 + dice.whole(10) : null,
    parent: id > 5 && dice.chance(0.3) ? 1 + dice.whole(Math.min(id - 1, 40)) : null,
    uploader: author(),
    approver: dice.chance(0.4) ? author() : null,
    created: time(dice),
    updated: time(dice),
    pending: !deleted && dice.chance(0.1),
    flagged: !deleted && dice.chance(0.1),
    deleted,
    banned: dice.chance(0.1),
    locks: { rating: dice.chance(0.1), note: dice.chance(0.1), status: dice.chance(0.1) },
    embedded: dice.chance(0.1),
    commentedAt: timeOrNull(dice, 0.3),
    bumpedAt: timeOrNull(dice, 0.3),
    notedAt: timeOrNull(dice, 0.3),
    comments: dice.few(0.3, () => ({ by: author(), deleted: dice.chance(0.3) })),
    notes: dice.few(0.3, () => ({ by: author(), deleted: dice.chance(0.3), editors: dice.some(USERS, 0.2) })),
    commentary: dice.chance(0.2) ? { editors: dice.some(USERS, 0.3), updated: time(dice) } : null,
    flags: dice.some(USERS, 0.05).map((by) => ({ by, at: time(dice), deletion: dice.chance(0.3) })),
    appeals: dice.some(USERS, 0.05).map((by) => ({ by, at: time(dice) })),
    approvals: dice.some(USERS, 0.1),
    disapprovals: dice.some(USERS, 0.2),
    favorites: [],
    votes: dice.some(USERS, 0.1).map((by) => ({ by, score: dice.chance(0.6) ? 1 : -1 })),
  };
}

const POOLS: readonly Omit<BoardPool, "posts">[] = [
  { id: 1, name: "Some_Series", category: "series", deleted: false },
  { id: 2, name: "a_collection", category: "collection", deleted: false },
  { id: 3, name: "Gone_Series", category: "series", deleted: true },
  { id: 4, name: "100%_pool", category: "series", deleted: false },
];

const GROUPS: readonly Omit<BoardGroup, "posts">[] = [
  { id: 1, name: "Shown", by: USERS[0], isPublic: true },
  { id: 2, name: "Hidden", by: USERS[0], isPublic: false },
  { id: 3, name: "hidden", by: USERS[1], isPublic: false },
];

/** @param seed which board @param size posts on it */
export function makeBoard(seed: number, size: number): MemoryBoard {
  const dice = new Dice(seed);
  const posts = Array.from({ length: size }, (_, index) => makePost(index + 1, dice));
  const pools = POOLS.map((pool): BoardPool => {
    const members = Array.from({ length: 1 + dice.whole(30) }, () => 1 + dice.whole(size));
    return {
      ...pool,
      posts: pool.category === "series" ? [...members, ...members.slice(0, 2)] : [...new Set(members)],
    };
  });
  let favorite = 0;
  for (const by of USERS) {
    for (const post of dice.some(posts, Math.min(0.2, 40 / size)).sort(() => (dice.chance(0.5) ? 1 : -1))) {
      post.favorites.push({ by, id: (favorite += 1) });
    }
  }
  const groups = GROUPS.map((group): BoardGroup => {
    const members = Array.from({ length: 1 + dice.whole(30) }, () => 1 + dice.whole(size));
    return { ...group, posts: [...new Set(members)] };
  });
  return { posts, pools, groups };
}

/** The children of each post that has some. */
export function childrenByParent(posts: readonly BoardPost[]): Map<number, BoardPost[]> {
  const children = new Map<number, BoardPost[]>();
  for (const post of posts) {
    if (post.parent !== null) children.set(post.parent, [...(children.get(post.parent) ?? []), post]);
  }
  return children;
}
