/** The kinds of filters of listings (`import * as by`): the condition of a `search[...]` attribute on a column. */
import { identifier, type Sql, sql } from "../database/client.js";
import { isUserName } from "../database/user-name.js";
import { lowerAsSql } from "../lib/names.js";
import { isSearchable } from "./bounds.js";
import { indexed, like } from "./indexed.js";
import { type Filter, NOTHING } from "./listing.js";
import { likeAnywhere, likePattern } from "./pattern.js";

/** A filter on another column than that of the attribute's name, or on an expression. */
export const on =
  <Value>(column: Sql, filter: Filter<Value>): Filter<Value> =>
  (value) =>
    filter(value, column);

/** One of the ids; an empty list matches nothing. */
export const ids: Filter<readonly number[]> = (values, column) => {
  if (values.length === 0) return NOTHING;
  const condition = sql`${column} = ANY(${[...values]}::int[])`;
  return values.length > 1 ? indexed(condition) : condition;
};

/** As `ids`, of a column whose index is not in the order of the list. */
export const unorderedIds: Filter<readonly number[]> = (values, column) => {
  const condition = ids(values, column);
  return condition && indexed(condition);
};

export const equals: Filter<string | number> = (value, column) => {
  if (value === "") return null;
  return typeof value === "string" && !isSearchable(value) ? NOTHING : sql`${column} = ${value}`;
};

/** The condition for a text; none for a blank one, false for one that can't be compared. */
export const ofText = (text: string, condition: (text: string) => Sql): Sql | null =>
  text.trim() === "" ? null : isSearchable(text) ? condition(text) : NOTHING;

/** A pattern with `*`, anchored at both ends, for a column with another spelling than users enter. */
export const patternOf =
  (spell: (text: string) => string): Filter<string> =>
  (text, column) =>
    ofText(spell(text), (spelled) => like(column, likePattern(spelled)));

/** True or false. */
export const flag: Filter<boolean> = (value, column) => sql`${column} = ${value}`;

/**
 * All words of the text, inflected or not, in any order; a text with `*` is a pattern for the whole text instead. The column is a
 * text with an index of `to_tsvector('english', ...)` and a trigram index of its lower case.
 */
export const words: Filter<string> = (text, column) =>
  ofText(text, () =>
    text.includes("*")
      ? like(sql`lower(${column})`, likePattern(lowerAsSql(text.trim())))
      : indexed(sql`to_tsvector('english', ${column}) @@ plainto_tsquery('english', ${text})`),
  );

/** The column contains the text, in any case; `*` matches anything. */
export const contains: Filter<string> = (text, column) =>
  ofText(text, () => like(sql`lower(${column})`, `%${likePattern(lowerAsSql(text.trim()))}%`));

/** The column contains the text, in any case; a text with `*` is a pattern for the whole column. */
export const anywhere: Filter<string> = (text, column) =>
  ofText(text, () => like(sql`lower(${column})`, likeAnywhere(lowerAsSql(text.trim()))));

/** The user with this name; an unknown name matches nothing. */
const userName: Filter<string> = (name, column) => {
  if (name === "") return null;
  if (!isSearchable(name)) return NOTHING;
  return sql`${column} = (SELECT id FROM users WHERE ${isUserName(sql`name`, name)})`;
};

/** By a user of the records, whose id is in the column of this role: `creatorId` and `creatorName`. */
export const user = <Role extends string>(role: Role) =>
  ({ [`${role}Id`]: ids, [`${role}Name`]: on(sql`t.${identifier(`${role}_id`)}`, userName) }) as Record<
    `${Role}Id`,
    typeof ids
  > &
    Record<`${Role}Name`, Filter<string>>;
