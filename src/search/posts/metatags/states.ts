/** Meta-tags of a post's rating, state of moderation, and locks. */
import { join, type Sql, sql } from "../../../database/client.js";
import { RATINGS } from "../../../tagging/rating.js";
import { isKind } from "../counted.js";
import { not } from "../not.js";
import { eachOf, lookUp, type Metatag, type SearchContext } from "./metatag.js";

/** The condition on a post, for an alias of the table. */
type State = (post: Sql, context: SearchContext) => Sql;

const appealed: State = (post) =>
  sql`(${post}.is_deleted AND EXISTS (SELECT 1 FROM post_appeals appeal WHERE appeal.post_id = ${post}.id))`;

const modqueue: State = (post, context) =>
  sql`(${post}.is_pending OR ${post}.is_flagged OR ${appealed(post, context)})`;

/** Not yet disapproved by the viewer. */
const unseen: State = (post, { viewer }) => sql`NOT EXISTS (
  SELECT 1 FROM post_disapprovals seen WHERE seen.post_id = ${post}.id AND seen.user_id = ${viewer.id}::int)`;

const unmoderated: State = (post, context) => sql`(${modqueue(post, context)} AND ${unseen(post, context)})`;

/** "active" is the displayed status: a banned post may be active, a flagged one is not. */
const STATES: Readonly<Record<string, State>> = {
  active: (post) => not(sql`(${post}.is_pending OR ${post}.is_deleted OR ${post}.is_flagged)`),
  pending: (post) => sql`${post}.is_pending`,
  flagged: (post) => sql`${post}.is_flagged`,
  deleted: (post) => sql`${post}.is_deleted`,
  banned: (post) => sql`${post}.is_banned`,
  appealed,
  modqueue,
  unmoderated,
  all: () => sql`TRUE`,
  any: () => sql`TRUE`,
};

/** The condition that a post has a status; null for an unknown status. @param alias of the table */
export function statusSql(word: string, context: SearchContext, post: Sql = sql`posts`): Sql | null {
  const state = lookUp(STATES, word);
  return state && state(post, context);
}

const withAppeal = (condition: Sql): Sql => sql`
  SELECT posts.id FROM post_counts counted JOIN posts ON posts.id = counted.post_id
   WHERE ${isKind("appeals")} AND posts.is_deleted AND ${condition}`;

/** Those waiting for a moderator, by the index of one state after the other. */
const queued = (condition: Sql): Sql => sql`
  SELECT posts.id FROM posts WHERE posts.is_pending AND ${condition}
  UNION ALL SELECT posts.id FROM posts WHERE posts.is_flagged AND ${condition} UNION ALL ${withAppeal(condition)}`;

/** States that few posts have on any board: selects the ids of all of them. */
const RARE_STATES: Readonly<Record<string, (context: SearchContext) => Sql>> = {
  pending: () => sql`SELECT posts.id FROM posts WHERE posts.is_pending`,
  flagged: () => sql`SELECT posts.id FROM posts WHERE posts.is_flagged`,
  banned: () => sql`SELECT posts.id FROM posts WHERE posts.is_banned`,
  appealed: () => withAppeal(sql`TRUE`),
  modqueue: () => queued(sql`TRUE`),
  unmoderated: (context) => queued(unseen(sql`posts`, context)),
};

/** Selects the ids of all posts in a state that few have, by its index; null for other states. */
export const idsOfState = (word: string, context: SearchContext): Sql | null =>
  lookUp(RARE_STATES, word)?.(context) ?? null;

/** Ratings are identified by their first letter. `general` of newer boards is safe. */
function ratingLetter(word: string): string | null {
  const letter = word.charAt(0).toLowerCase().replace("g", "s");
  return letter === "s" || letter === "q" || letter === "e" ? letter : null;
}

/** One of the ratings in a list; null if one of them is unknown. */
export function ratingSql(value: string): Sql | null {
  const letters = eachOf(value, ratingLetter);
  return letters && sql`posts.rating IN (${join([...new Set(letters)].map((letter) => sql`${letter}::bpchar`))})`;
}

const EMBEDDED = sql`((posts.bit_flags & 1) <> 0)`;

const YES_OR_NO: Readonly<Record<string, Sql>> = {
  yes: EMBEDDED,
  true: EMBEDDED,
  no: not(EMBEDDED),
  false: not(EMBEDDED),
};

/** States that few posts have, with indexes, `appealed` with that of appeals. */
const INDEXED_STATES: ReadonlySet<string> = new Set(["pending", "flagged", "deleted", "banned", "appealed"]);

/** Whether an index has the posts of a state in the order of their ids. */
export const isStateInOrder = (word: string): boolean => INDEXED_STATES.has(word.trim().toLowerCase());

export const STATE_WORDS: readonly string[] = Object.keys(STATES);

const LOCKS: Readonly<Record<string, Sql>> = {
  rating: sql`posts.is_rating_locked`,
  note: sql`posts.is_note_locked`,
  notes: sql`posts.is_note_locked`,
  status: sql`posts.is_status_locked`,
};

export const STATES_OF_POSTS: readonly Metatag[] = [
  {
    name: "rating",
    value: "s, q, e, or a word that begins with one, such as `safe`; lists",
    description: "safe, questionable or explicit; g and general are safe",
    examples: ["rating:s", "-rating:explicit", "rating:q,e"],
    words: Object.values(RATINGS),
    toSql: ratingSql,
  },
  {
    name: "status",
    value: STATE_WORDS.join(", "),
    description: "moderation status; active means not pending, flagged or deleted",
    examples: ["status:pending", "-status:deleted", "status:active", "status:modqueue", "status:unmoderated"],
    words: STATE_WORDS,
    toSql: (value, context) => statusSql(value, context),
    isInOrder: isStateInOrder,
  },
  {
    name: "locked",
    value: Object.keys(LOCKS).join(", "),
    description: "locked attributes",
    examples: ["locked:notes", "locked:status"],
    words: ["rating", "notes", "status"],
    toSql: (value) => lookUp(LOCKS, value),
    isInOrder: () => true,
  },
  {
    name: "embedded",
    value: Object.keys(YES_OR_NO).join(", "),
    description: "notes are embedded in the picture",
    examples: ["embedded:yes"],
    words: ["yes", "no"],
    toSql: (value) => lookUp(YES_OR_NO, value),
    isInOrder: (value) => lookUp(YES_OR_NO, value) === EMBEDDED,
  },
];
