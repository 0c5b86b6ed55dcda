/** Random terms of every meta-tag that is a condition, each with the posts that match it. */
import fc from "fast-check";
import { type BoardGroup, type BoardPost, childrenByParent, type MemoryBoard, NOW, PRIVATE, USERS } from "./board.js";
import { counts, plural } from "./orders.js";
import { age, date, duration, fileSize, GARBAGE, type Meaning, megapixels, ranges, ratio, whole } from "./values.js";

/** Who searches: a visitor, a user of the board, an Admin who is none. */
export interface Searcher {
  name: (typeof USERS)[number] | null;
  isAdmin: boolean;
}

/** A value and what the meta-tag means with it. */
export interface Condition {
  value: string;
  test: (post: BoardPost) => boolean;
}

export type Conditions = fc.Arbitrary<Condition>;

const compared = (number: Parameters<typeof ranges>[0], read: (post: BoardPost) => number | null): Conditions =>
  ranges(number).map(({ text, test }: Meaning) => ({ value: text, test: (post) => test(read(post)) }));

const hundredths = ({ width, height }: BoardPost): number => Math.round((width * 100) / height);

const numbers: Record<string, Conditions> = {
  id: compared(whole(1, 7, 60, 119), (p) => p.id),
  width: compared(whole(100, 300, 1000), (p) => p.width),
  height: compared(whole(100, 300, 1000), (p) => p.height),
  mpixels: compared(megapixels, (p) => p.width * p.height),
  ratio: compared(ratio, hundredths),
  filesize: compared(fileSize, (p) => p.fileSize),
  duration: compared(duration, (p) => p.duration),
  score: compared(whole(-3, 0, 4), (p) => p.ups - p.downs),
  upvotes: compared(whole(0, 4), (p) => p.ups),
  downvotes: compared(whole(0, 3), (p) => p.downs),
  favcount: compared(whole(0, 3), (p) => p.favCount),
  tagcount: compared(whole(0, 3), (p) => p.tags.length),
  gentags: compared(whole(0, 2), (p) => p.tags.filter((tag) => GENERAL.has(tag)).length),
  arttags: compared(whole(0), (p) => (p.tags.includes("b") ? 1 : 0)),
  copytags: compared(whole(0), (p) => (p.tags.includes("c") ? 1 : 0)),
  chartags: compared(whole(0, 1), (p) => p.tags.filter((tag) => tag === "d" || tag === "wide_y").length),
  metatags: compared(whole(0), (p) => (p.tags.includes("e_(f)") ? 1 : 0)),
  pixiv_id: compared(whole(60, 64), (p) => p.pixivId),
  date: compared(date, (p) => p.created),
  age: compared(age, (p) => NOW.getTime() - p.created),
};

const GENERAL = new Set(["a", ":)", "g:1", "wide_x", "x_wide", "two_words", "shadow", "50%"]);

const words = (...pairs: [string, (post: BoardPost) => boolean][]): Conditions =>
  fc
    .constantFrom(...pairs)
    .chain(([word, test]) => fc.constantFrom(word, word.toUpperCase()).map((value) => ({ value, test })));

const nobody = fc.constantFrom("nobody", "", ...GARBAGE).map((value) => ({ value, test: () => false }));

/** Something with the name of a user, in other letters; perhaps of nobody. */
const users = (test: (post: BoardPost, name: string) => boolean): Conditions =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .constantFrom(...USERS)
        .chain((name) =>
          fc
            .constantFrom(name, name.toLowerCase(), name.toUpperCase(), name.replace("_", " "))
            .map((value) => ({ value, test: (post: BoardPost) => test(post, name) })),
        ),
    },
    nobody,
  );

/** As `users`, or `any` and `none` of them. */
const usersOrAny = (list: (post: BoardPost) => readonly string[]): Conditions =>
  fc.oneof(
    { weight: 2, arbitrary: users((post, name) => list(post).includes(name)) },
    words(["any", (p) => list(p).length > 0], ["none", (p) => list(p).length === 0]),
  );

const one = (name: string | null): string[] => (name === null ? [] : [name]);

const people = (searcher: Searcher): Record<string, Conditions> => {
  const sees = (name: string): boolean => searcher.isAdmin || searcher.name === name;
  const favorites = users(
    (p, name) => (name !== PRIVATE || sees(name)) && p.favorites.some((favorite) => favorite.by === name),
  );
  const voted = (score: number): Conditions =>
    users((p, name) => sees(name) && p.votes.some((vote) => vote.by === name && vote.score === score));
  return {
    user: usersOrAny((p) => [p.uploader]),
    approver: usersOrAny((p) => one(p.approver)),
    commenter: usersOrAny((p) => p.comments.filter((made) => !made.deleted).map((made) => made.by)),
    noter: usersOrAny((p) => p.notes.map((made) => made.by)),
    noteupdater: usersOrAny((p) => p.notes.flatMap((made) => made.editors)),
    artcomm: usersOrAny((p) => p.commentary?.editors ?? []),
    fav: favorites,
    upvote: voted(1),
    downvote: voted(-1),
  };
};

type Status = (post: BoardPost) => boolean;

const statuses = (searcher: Searcher): Record<string, Status> => {
  const appealed: Status = (p) => p.deleted && p.appeals.length > 0;
  const queued: Status = (p) => p.pending || p.flagged || appealed(p);
  return {
    active: (p) => !p.pending && !p.flagged && !p.deleted,
    pending: (p) => p.pending,
    flagged: (p) => p.flagged,
    deleted: (p) => p.deleted,
    banned: (p) => p.banned,
    appealed,
    modqueue: queued,
    unmoderated: (p) => queued(p) && (searcher.name === null || !p.disapprovals.includes(searcher.name)),
    all: () => true,
    any: () => true,
  };
};

const ratings: [string, Status][] = [
  ["s", (p) => p.rating === "s"],
  ["safe", (p) => p.rating === "s"],
  ["g", (p) => p.rating === "s"],
  ["questionable", (p) => p.rating === "q"],
  ["Explicit", (p) => p.rating === "e"],
];

const types: [string, Status][] = [
  ["png", (p) => p.ext === "png"],
  ["jpeg", (p) => p.ext === "jpg"],
  ["webm", (p) => p.ext === "webm"],
  ["avif", () => false],
];

/** One of the words, or a list of them. */
const lists = (pairs: [string, Status][]): Conditions =>
  fc.oneof(
    words(...pairs),
    fc.array(fc.constantFrom(...pairs), { minLength: 2, maxLength: 3 }).map((chosen) => ({
      value: chosen.map(([word]) => word).join(","),
      test: (post: BoardPost) => chosen.some(([, test]) => test(post)),
    })),
  );

const states = (searcher: Searcher): Record<string, Conditions> => {
  const status = Object.entries(statuses(searcher));
  return {
    rating: fc.oneof({ weight: 5, arbitrary: lists(ratings) }, nobody),
    status: fc.oneof({ weight: 5, arbitrary: words(...status) }, nobody),
    locked: words(
      ["rating", (p) => p.locks.rating],
      ["note", (p) => p.locks.note],
      ["notes", (p) => p.locks.note],
      ["status", (p) => p.locks.status],
      ["everything", () => false],
    ),
    embedded: words(
      ["yes", (p) => p.embedded],
      ["true", (p) => p.embedded],
      ["no", (p) => !p.embedded],
      ["2", () => false],
    ),
    filetype: fc.oneof({ weight: 5, arbitrary: lists(types) }, nobody),
  };
};

const begins =
  (text: string): Status =>
  (p) =>
    p.source.toLowerCase().startsWith(text);

/** Whether a group is there for somebody. */
export const seesGroup = ({ isPublic, by }: BoardGroup, { name }: Searcher): boolean => isPublic || by === name;

const relations = (board: MemoryBoard, searcher: Searcher): Record<string, Conditions> => {
  const byId = new Map(board.posts.map((post) => [post.id, post]));
  const children = childrenByParent(board.posts);
  const childless: Status = (p) => !children.has(p.id);
  const within = (chosen: (pool: MemoryBoard["pools"][number]) => boolean): Status => {
    const ids = new Set(board.pools.filter(chosen).flatMap((pool) => pool.posts));
    return (p) => ids.has(p.id);
  };
  const kept = (chosen: (group: BoardGroup) => boolean): Status => {
    const ids = new Set(board.groups.filter(chosen).flatMap((group) => group.posts));
    return (p) => ids.has(p.id);
  };
  const pooled = within((pool) => !pool.deleted);
  const status = Object.entries(statuses(searcher));
  return {
    parent: fc.oneof(
      words(
        ["any", (p) => p.parent !== null],
        ["none", (p) => p.parent === null],
        ...status.map(([word, test]): [string, Status] => {
          return [word, (p) => p.parent !== null && test(byId.get(p.parent) as BoardPost)];
        }),
      ),
      fc.nat(45).map((id) => ({ value: String(id), test: (p: BoardPost) => p.id === id || p.parent === id })),
      nobody,
    ),
    child: fc.oneof(
      words(
        ["any", (p) => !childless(p)],
        ["none", childless],
        ...status.map(([word, test]): [string, Status] => [word, (p) => children.get(p.id)?.some(test) ?? false]),
      ),
      nobody,
    ),
    favgroup: fc.oneof(
      words(
        ...board.groups.map(({ id }): [string, Status] => {
          return [String(id), kept((group) => group.id === id && seesGroup(group, searcher))];
        }),
        ["shown", kept(({ name, by }) => name === "Shown" && by === searcher.name)],
        ["HIDDEN", kept(({ name, by }) => name.toLowerCase() === "hidden" && by === searcher.name)],
        ["4", () => false],
        ["any", () => false],
      ),
      nobody,
    ),
    pool: fc.oneof(
      {
        weight: 4,
        arbitrary: words(
          ["1", within(({ id }) => id === 1)],
          ["3", within(({ id }) => id === 3)],
          ["5", () => false],
          ["99999999999", () => false],
          ["some_series", within(({ id }) => id === 1)],
          ["some series", within(({ id }) => id === 1)],
          ["100%_pool", within(({ id }) => id === 4)],
          ["any", pooled],
          ["none", (p) => !pooled(p)],
          ["series", within(({ category, deleted }) => category === "series" && !deleted)],
          ["collection", within(({ category, deleted }) => category === "collection" && !deleted)],
          ["*series", within(({ id }) => id === 1 || id === 3)],
          ["a*coll*", within(({ id }) => id === 2)],
          ["1*%*", within(({ id }) => id === 4)],
        ),
      },
      nobody,
    ),
    is: fc.oneof(
      { weight: 3, arbitrary: words(...status, ...ratings, ...types) },
      words(
        ["parent", (p) => !childless(p)],
        ["child", (p) => p.parent !== null],
        ["sfw", (p) => p.rating === "s"],
        ["nsfw", (p) => p.rating !== "s"],
        ["png,gif", () => false],
        ["__proto__", () => false],
      ),
    ),
    has: words(
      ["parent", (p) => p.parent !== null],
      ["child", (p) => !childless(p)],
      ["children", (p) => !childless(p)],
      ["source", (p) => p.source !== ""],
      ["appeals", (p) => p.appeals.length > 0],
      ["flags", (p) => p.flags.length > 0],
      ["comments", (p) => p.comments.some((made) => !made.deleted)],
      ["commentary", (p) => p.commentary !== null],
      ["notes", (p) => p.notes.some((made) => !made.deleted)],
      ["pools", pooled],
      ["everything", () => false],
    ),
    source: words(
      ["none", (p) => p.source === ""],
      ["any", (p) => p.source !== ""],
      ["http", begins("http")],
      ["https://example.com/1", begins("https://example.com/1")],
      ["https://example.com/1*2", (p) => p.source === "https://example.com/12"],
      ["a book", begins("a book")],
      ["*page*", (p) => p.source.includes("page")],
      ["100%_", begins("100%_")],
      ["%", () => false],
      ['"q', begins('"q')],
      ["", () => false],
    ),
    md5: fc.oneof(
      fc.array(fc.constantFrom(...board.posts.slice(0, 30)), { minLength: 1, maxLength: 3 }).map((chosen) => ({
        value: chosen.map((post) => post.md5.toUpperCase()).join(","),
        test: (p: BoardPost) => chosen.some((post) => post.md5 === p.md5),
      })),
      nobody,
    ),
  };
};

/** Other spellings of names. */
const ALIASES: Record<string, string> = {
  comm: "commenter",
  commentaryupdater: "artcomm",
  upvoter: "upvote",
  downvoter: "downvote",
  pixiv: "pixiv_id",
};

/** By every spelling of every meta-tag that is a condition, but for `unaliased:`, which is a tag. */
export function conditions(board: MemoryBoard, searcher: Searcher): Record<string, Conditions> {
  const counted = Object.entries(counts(board)).flatMap(([name, count]) => {
    const values = compared(whole(0, 2), count);
    return [
      [`${name}_count`, values],
      [plural(name), values],
    ] as const;
  });
  const all: Record<string, Conditions> = {
    ...numbers,
    ...Object.fromEntries(counted),
    ...people(searcher),
    ...states(searcher),
    ...relations(board, searcher),
  };
  return {
    ...all,
    ...Object.fromEntries(Object.entries(ALIASES).map(([alias, name]) => [alias, all[name] as Conditions])),
  };
}
