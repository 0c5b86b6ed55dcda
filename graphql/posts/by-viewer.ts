/** The fields of a post that differ by viewer, and so are not cached with it. */
import type { PostRef } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";

/** Fields without arguments by their names, whose values are JSON already. */
export const BY_VIEWER = {
  hiddenBy: (post: PostRef, { loaders }: GraphQLContext): Promise<string[]> => loaders.postHiddenBy.load(post),
  viewerHasFavorited: ({ id }: PostRef, { loaders }: GraphQLContext): Promise<boolean> =>
    loaders.postFavorited.load(id),
};
