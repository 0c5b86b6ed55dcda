import { maySeeFlagger } from "../../src/resources/post-flags/post-flag.policy.js";
import type { PostFlagRecord } from "../../src/resources/post-flags/post-flag.service.js";
import { Post } from "../posts/post.type.js";
import { User } from "../users/user.type.js";
import { CreatePostFlagInput, PostFlag, PostFlagSearch, SECRET } from "./post-flag.type.js";
import { resolver, list, one, mutation, relation, computed } from "../shared/operations.js";
import { int, string, nested, nullable } from "../shared/fields.js";

export const PostFlagResolver = resolver(PostFlag, {
  postFlags: list({
    of: PostFlag,
    description: "Lists flags of posts, newest first.",
    search: [PostFlagSearch, "Filters for the list of flags."],
    find: (context, search, page) => context.board.postFlags.search(context, search, page),
  }),

  postFlag: one({ of: PostFlag, description: "One flag of a post.", id: "ID of the flag." }),

  createPostFlag: mutation({
    description: "Flags a post for deletion.",
    input: [CreatePostFlagInput, "The post and the reason."],
    payload: [PostFlag, "The new flag."],
    resolve: (context, input) => context.board.postFlags.create(context, input),
  }),

  post: relation(() => Post, "The flagged post."),

  creatorId: computed(
    nullable(int(`ID of the user who flagged the post: null if the system did, and ${SECRET}.`)),
    (flag: PostFlagRecord, { viewer }) => (maySeeFlagger(viewer, flag) ? flag.creatorId : null),
  ),

  creatorName: computed(
    nullable(string(`Name of the user who flagged the post: ${SECRET}.`)),
    (flag: PostFlagRecord, { viewer }) => (maySeeFlagger(viewer, flag) ? flag.creatorName : null),
  ),

  creator: computed(
    nullable(nested(() => User, `The user who flagged the post: ${SECRET}.`)),
    (flag: PostFlagRecord, { viewer, loaders }) => {
      if (flag.creatorId === null || !maySeeFlagger(viewer, flag)) return null;
      return loaders.user.load(flag.creatorId);
    },
  ),
});
