/** SQL of the columns `tag_count_general`, `tag_count_artist` ... of posts: their numbers of tags by category. */
import { identifier, join, type Sql, sql } from "../database/client.js";
import { upperFirst } from "../lib/case.js";
import { TagCategory, type TagCategoryName } from "./categories.js";

const CATEGORIES = Object.entries(TagCategory) as [TagCategoryName, number][];

const columnOf = (name: TagCategoryName): Sql => identifier(`tag_count_${name}`);
const fieldOf = <Name extends TagCategoryName>(name: Name) =>
  `tagCount${upperFirst(name) as Capitalize<Name>}` as const;

export type CategoryCounts<T> = Record<ReturnType<typeof fieldOf<TagCategoryName>>, T>;

/** Values for these fields. @param of the value for a category */
export const countsBy = <T>(of: (category: number) => T): CategoryCounts<T> =>
  Object.fromEntries(CATEGORIES.map(([name, category]) => [fieldOf(name), of(category)])) as CategoryCounts<T>;

/** Selects the numbers of rows of `tags` by category, for `assignedCounts`. */
export const countedByCategory: Sql = join(
  CATEGORIES.map(([name, category]) => sql`count(*) FILTER (WHERE category = ${category}) AS ${identifier(name)}`),
);

/** Assignments of an UPDATE of posts, from `countedByCategory` as `n`. */
export const assignedCounts: Sql = join(CATEGORIES.map(([name]) => sql`${columnOf(name)} = n.${identifier(name)}`));

/** Selects the columns of posts under the names of their fields. */
export const selectedCounts: Sql = join(
  CATEGORIES.map(([name]) => sql`${columnOf(name)} AS ${identifier(fieldOf(name))}`),
);
