import { Post } from "../posts/post.type.js";
import { editsOf } from "../shared/edits.js";
import { boolean, int, ints, string } from "../shared/fields.js";
import { list, one, resolversOf } from "../shared/operations.js";
import { relation } from "../shared/record-fields.js";
import { User } from "../users/user.type.js";
import { PostAppeal } from "./post-appeal.type.js";

resolversOf(PostAppeal, {
  postAppeals: list({
    of: PostAppeal,
    description: "Lists appeals, newest first.",
    search: {
      id: ints("Appeals with these IDs."),
      postId: ints("Appeals for these posts."),
      creatorId: ints("Appeals by these users."),
      creatorName: string("Appeals by the user with this name."),
      reasonMatches: string("Text contained in the reason; with `*`, a pattern that matches the whole reason."),
      isResolved: boolean("Only appeals for posts that are active again (true) or not (false)."),
    },
    find: ({ board }, search, page) => board.postAppeals.search(search, page),
  }),

  postAppeal: one({ of: PostAppeal, description: "One appeal.", id: "ID of the appeal." }),

  createPostAppeal: editsOf(PostAppeal, ({ postAppeals }) => postAppeals).create(
    "Appeals a post that is deleted or flagged.",
    {
      postId: int("ID of the post, which must be deleted or flagged."),
      reason: string("Why the post should be kept; at most 500 characters."),
    },
    null,
  ),

  post: relation(() => Post, "The post."),
  creator: relation(() => User, "The user who appealed."),
});
