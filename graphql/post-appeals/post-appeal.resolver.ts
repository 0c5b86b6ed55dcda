import { Post } from "../posts/post.type.js";
import { User } from "../users/user.type.js";
import { CreatePostAppealInput, PostAppeal, PostAppealSearch } from "./post-appeal.type.js";
import { resolver, list, one, mutation, relation } from "../shared/operations.js";

export const PostAppealResolver = resolver(PostAppeal, {
  postAppeals: list({
    of: PostAppeal,
    description: "Lists appeals, newest first.",
    search: [PostAppealSearch, "Which appeals to list."],
    find: ({ board }, search, page) => board.postAppeals.search(search, page),
  }),

  postAppeal: one({ of: PostAppeal, description: "One appeal.", id: "Number of the appeal." }),

  createPostAppeal: mutation({
    description: "Appeals for a post that is deleted or flagged.",
    input: [CreatePostAppealInput, "Post and reason."],
    payload: [PostAppeal, "The new appeal."],
    resolve: (context, input) => context.board.postAppeals.create(context, input),
  }),

  post: relation(() => Post, "The post."),

  creator: relation(() => User, "Who appealed."),
});
