/** Posts grouped by their comments or notes, for listings: those that have any, the latest activity first. */
import { join, type Sql, sql } from "../../database/client.js";
import { type Page, runListing } from "../../search/listing.js";
import { postTagsMatch } from "../../search/posts/search.js";
import { clampLimit, type PageRequest, selectPage } from "../shared/paging.js";
import type { ListParts } from "../shared/read-model.js";
import type { PostRef } from "./post.records.js";

const COLUMNS = { comments: sql`t.last_comment_bumped_at`, notes: sql`t.last_noted_at` };
const TABLES = { comments: sql`comments`, notes: sql`notes` };

export interface Grouping {
  of: keyof typeof TABLES;
  /** conditions on a comment or note `t` that each post must have; empty for all */
  where: Sql[];
  /** of the post itself, each of which it must match */
  tags: readonly (string | null | undefined)[];
}

/**
 * The condition that a post has these tags, which are not meta-tags; none without tags.
 * @param postId the column with its id
 * @param isAlone whether there is no other condition
 * @throws BoardError 424 for too many tags
 */
export const onPostWith = async (
  { database, config }: ListParts,
  postId: Sql,
  tags: string | null | undefined,
  isAlone: boolean,
): Promise<Sql[]> =>
  tags?.trim() ? [await postTagsMatch(database, postId, tags, { maxTerms: config.TAGS_PER_SEARCH, isAlone })] : [];

/**
 * One page of the posts. Those without comments that bump, or without active notes, are left out.
 * @throws BoardError 424 for a page that is too deep, or too many tags
 */
export async function listGroupedPosts(
  parts: ListParts,
  { of, where, tags }: Grouping,
  request: PageRequest,
): Promise<Page<PostRef>> {
  const { database, config } = parts;
  const column = COLUMNS[of];
  const onPost = await Promise.all(tags.map((each) => onPostWith(parts, sql`t.id`, each, where.length === 0)));
  const conditions = [sql`${column} IS NOT NULL`, ...onPost.flat()];
  if (where.length > 0)
    conditions.push(sql`t.id IN (SELECT t.post_id FROM ${TABLES[of]} AS t WHERE ${join(where, " AND ")})`);
  return runListing<PostRef>(database, {
    select: sql`t.id`,
    from: sql`posts AS t`,
    where: conditions,
    orderBy: sql`${column} DESC NULLS LAST`,
    page: selectPage(request, config, config.MAX_POSTS_PER_PAGE),
    limit: clampLimit(request.first, config.MAX_POSTS_PER_PAGE),
  });
}
