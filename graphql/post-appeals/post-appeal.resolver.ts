import { Post } from "../posts/post.type.js";
import { User } from "../users/user.type.js";
import { CreatePostAppealInput, PostAppeal, PostAppealSearch } from "./post-appeal.type.js";
import { resolver, list, one, mutation, relation } from "../shared/operations.js";

export const PostAppealResolver = resolver(PostAppeal, {
  postAppeals: list({
    of: PostAppeal,
    description: "Lists appeals, newest first.",
    search: [PostAppealSearch, "Filters for the list of appeals."],
    find: ({ board }, search, page) => board.postAppeals.search(search, page),
  }),

  postAppeal: one({ of: PostAppeal, description: "One appeal.", id: "ID of the appeal." }),

  createPostAppeal: mutation({
    description: "Appeals a post that is deleted or flagged.",
    input: [CreatePostAppealInput, "The post and the reason."],
    payload: [PostAppeal, "The new appeal."],
    resolve: (context, input) => context.board.postAppeals.create(context, input),
  }),

  post: relation(() => Post, "The post."),

  creator: relation(() => User, "The user who appealed."),
});
