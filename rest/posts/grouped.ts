/** `group_by=post` of listings that belong to posts. */
import { type Choice, resource, type ResourceRow } from "../adapter/row.js";
import { toPascal } from "../openapi/schema.js";
import { postFields, viewPost } from "./posts.js";

/**
 * Lets clients choose between the records of a listing and the posts that they belong to.
 * @param own value of `group_by` for the records themselves
 * @param field the listing of the posts
 */
export function groupedByPost(own: string, field: string): Choice {
  const document = `
    query ${toPascal(field)}Index($search: ${toPascal(own)}Search, $tags: String, $limit: Int, $page: String) {
      ${field}(search: $search, tags: $tags, first: $limit, page: $page) { nodes { ${postFields} } }
    }`;
  const [post] = resource("post", { view: viewPost }, [{ method: "GET", path: `/${own}s`, document }]);
  return { parameter: "group_by", own, others: { post: post as ResourceRow } };
}
