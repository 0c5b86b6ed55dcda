/** `group_by=post` of listings that belong to posts. */
import type { DocumentNode } from "graphql";
import type { Choice } from "../adapter/row.js";
import { viewPost } from "./posts.js";

/**
 * Lets clients choose between the records of a listing and the posts that they belong to.
 * @param own value of `group_by` for the records themselves
 * @param document the listing of the posts
 */
export const groupedByPost = (own: string, path: string, document: DocumentNode): Choice => ({
  parameter: "group_by",
  own,
  others: { post: { method: "GET", path, document, view: viewPost, resource: "post", plural: "posts" } },
});
