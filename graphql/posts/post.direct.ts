/** Posts without GraphQL: everybody asks for them all day, and most of that time went into resolving each field by itself. */
import type { PostRecord } from "../../src/services/post.records.js";
import type { PostQuery } from "../../src/services/post.service.js";
import type { GraphQLContext } from "../context.js";
import { postFacts } from "./post.facts.js";

async function factsOf({ board, viewer, baseUrl }: GraphQLContext, posts: readonly PostRecord[]) {
  const strings = await board.tagCache.stringsOf(posts);
  return posts.flatMap((post, index) => {
    const tags = strings[index];
    return tags ? [postFacts(post, tags, viewer, baseUrl)] : [];
  });
}

interface FindPosts extends PostQuery {
  limit?: number | null;
  page?: string | null;
}

/** @throws BoardError 424 for too many terms or too deep a page */
export async function findPosts(context: GraphQLContext, { limit, page, ...query }: FindPosts) {
  const { rows } = await context.board.posts.search(context, query, { first: limit, page });
  return { nodes: await factsOf(context, rows) };
}

/** One post; null when there is none of this id. */
export async function showPost(context: GraphQLContext, { id }: { id: number }) {
  const post = (await context.board.posts.byIds([id])).get(id);
  return post ? ((await factsOf(context, [post]))[0] ?? null) : null;
}
