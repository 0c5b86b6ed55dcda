/** Meta-tags that name a user. An unknown name matches nothing. */
import { type Sql, sql } from "../../../database/client.js";
import { isUserName } from "../../../database/user-name.js";
import { maySeePrivateFavorites, maySeeVotes } from "../../../resources/shared/privacy.policy.js";
import type { Order } from "../orders.js";
import { hasSome } from "../counted.js";
import { not, withNegation } from "../not.js";
import { having, type Metatag, type SearchContext } from "./metatag.js";

/** The id of the user with this name, or NULL, which matches nothing. */
const userId = (name: string): Sql => sql`(SELECT users.id FROM users WHERE ${isUserName(sql`users.name`, name)})`;

const VALUE = "user name";
const VALUE_OR_ANY = "user name, any, none";

/** A user in a column of the post itself. */
const holder =
  (column: Sql) =>
  (value: string): Sql => {
    const word = value.toLowerCase();
    if (word === "any") return sql`${column} IS NOT NULL`;
    if (word === "none") return sql`${column} IS NULL`;
    return sql`${column} = ${userId(value)}`;
  };

/**
 * The condition that a post is one of such a row of another table, as `made`. Negated, it is a lookup for each post: PostgreSQL would expect to read the
 * ids of an IN again for each, and compares all rows of a user with each post if it joins them, expecting few.
 * @param lookedUp the same as `which`, for lookups
 */
const madeBy = (table: Sql, which: Sql, lookedUp = which): Sql =>
  withNegation(
    sql`posts.id IN (SELECT made.post_id FROM ${table} made WHERE ${which})`,
    sql`NOT EXISTS (SELECT 1 FROM ${table} made WHERE made.post_id = posts.id AND ${lookedUp} OFFSET 0)`,
  );

/** A user with related records of the post: rows of another table, as `made`. @param some the condition that it has any */
const maker =
  (table: Sql, column: Sql, visible: Sql = sql`TRUE`, some = having(table)) =>
  (value: string): Sql => {
    const word = value.toLowerCase();
    if (word === "any") return some;
    if (word === "none") return not(some);
    const isOfUser = (user: Sql) => sql`${user} = ${userId(value)} AND ${visible}`;
    // + 0 excludes the index of users, since PostgreSQL may combine it with that of posts, and read all rows of the user for each post
    return madeBy(table, isOfUser(column), isOfUser(sql`${column} + 0`));
  };

/** As `userId`, unless that user's favorites are private and the viewer is neither the user nor an Admin. */
const ownerOfVisibleFavorites = (name: string, { viewer }: SearchContext): Sql => sql`(
  SELECT users.id FROM users
   WHERE ${isUserName(sql`users.name`, name)}
     AND (NOT users.enable_private_favorites OR users.id = ${viewer.id}::int
          OR ${maySeePrivateFavorites(viewer)}))`;

const favoritedBy = (value: string, context: SearchContext): Sql =>
  madeBy(sql`favorites`, sql`made.user_id = ${ownerOfVisibleFavorites(value, context)}`);

const byFavorite = (value: string, context: SearchContext): Order => ({
  join: sql`JOIN favorites ON favorites.post_id = posts.id
                          AND favorites.user_id = ${ownerOfVisibleFavorites(value, context)}`,
  keys: [{ expression: sql`favorites.id`, direction: "DESC" }],
});

/** Votes are private: users find their own, Admins find all. */
const votedBy =
  (sign: Sql) =>
  (value: string, { viewer }: SearchContext): Sql | null => {
    if (viewer.id === null) return null;
    const isOfUser = sql`made.user_id = ${userId(value)} AND ${sign}`;
    return madeBy(sql`post_votes`, sql`${isOfUser} AND (made.user_id = ${viewer.id}::int OR ${maySeeVotes(viewer)})`);
  };

const row = (
  name: string,
  value: string,
  description: string,
  toSql: NonNullable<Metatag["toSql"]>,
  aliases: string[] = [],
): Metatag => ({
  name,
  aliases,
  value,
  description,
  examples: value === VALUE_OR_ANY ? [`${name}:albert`, `${name}:any`, `${name}:none`] : [`${name}:albert`],
  ...(value === VALUE_OR_ANY ? { words: ["any", "none"] } : {}),
  names: "user",
  toSql,
  isIndexed: true,
});

export const PEOPLE: readonly Metatag[] = [
  row("user", VALUE_OR_ANY, "uploaded by", holder(sql`posts.uploader_id`)),
  row("approver", VALUE_OR_ANY, "approved by", holder(sql`posts.approver_id`)),
  row(
    "commenter",
    VALUE_OR_ANY,
    "has a comment by",
    maker(sql`comments`, sql`made.creator_id`, sql`NOT made.is_deleted`, hasSome("active_comments")),
    ["comm"],
  ),
  row(
    "noter",
    VALUE_OR_ANY,
    "has a note created by",
    maker(sql`notes`, sql`made.creator_id`, undefined, hasSome("notes")),
  ),
  row("noteupdater", VALUE_OR_ANY, "has a note edited by", maker(sql`note_versions`, sql`made.updater_id`)),
  row(
    "artcomm",
    VALUE_OR_ANY,
    "has an artist commentary edited by",
    maker(sql`artist_commentary_versions`, sql`made.updater_id`),
    ["commentaryupdater"],
  ),
  row("fav", VALUE, "is a favorite of", favoritedBy),
  { ...row("ordfav", VALUE, "is a favorite of, newest favorite first", favoritedBy), order: byFavorite },
  row("upvote", VALUE, "upvoted by; only Admins can search for the votes of others", votedBy(sql`made.score > 0`), [
    "upvoter",
  ]),
  row("downvote", VALUE, "downvoted by; only Admins can search for the votes of others", votedBy(sql`made.score < 0`), [
    "downvoter",
  ]),
];
