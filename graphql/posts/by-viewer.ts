/** The fields of a post that differ by viewer, and so are not cached with it. */
import type { PostRef } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";

type ValuesOf = (
  posts: readonly PostRef[],
  context: GraphQLContext,
) => readonly unknown[] | Promise<readonly unknown[]>;

/** Fields without arguments by their names: the value for each post, as JSON; without a promise if they are known. */
export const BY_VIEWER = {
  hiddenBy: (posts, { board, viewer }) => board.blacklists.matching(viewer, posts),
  viewerHasFavorited: (posts, { board, viewer }) =>
    board.favorites.areFavoritesOf(
      viewer,
      posts.map(({ id }) => id),
    ),
} as const satisfies Record<string, ValuesOf>;

export type ByViewer = keyof typeof BY_VIEWER;
