/** Posts without GraphQL: everybody asks for them all day, and most of that time went into resolving each field by itself. */
import { parsePost, type PostRecord } from "../../src/resources/posts/post.records.js";
import type { PostQuery } from "../../src/resources/posts/post.service.js";
import type { DirectAnswer, DirectContext } from "../context.js";
import { filesUrlOf, postFacts } from "./post.facts.js";

async function factsOf(context: DirectContext, posts: readonly PostRecord[]) {
  const { board, viewer } = context;
  const filesUrl = filesUrlOf(context);
  const strings = await board.tagCache.stringsOf(posts);
  return posts.flatMap((post, index) => {
    const tags = strings[index];
    return tags ? [postFacts(post, tags, viewer, filesUrl)] : [];
  });
}

interface FindPosts extends PostQuery {
  limit?: number | null;
  page?: string | null;
}

/** @throws BoardError 424 for too many terms or too deep a page */
export async function findPosts(context: DirectContext, { limit, page, ...query }: FindPosts): Promise<DirectAnswer> {
  const { rows } = await context.board.posts.searchTexts(context, query, { first: limit, page });
  const source = rows.map(({ text }) => text).join("\n");
  return { source, value: async () => ({ nodes: await factsOf(context, rows.map(parsePost)) }) };
}

/** One post; null when there is none of this id. */
export async function showPost(context: DirectContext, { id }: { id: number }): Promise<DirectAnswer> {
  const post = (await context.board.posts.byIds([id])).get(id);
  return { value: async () => (post ? ((await factsOf(context, [post]))[0] ?? null) : null) };
}
