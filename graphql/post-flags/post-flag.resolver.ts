import { maySeeFlagger } from "../../src/resources/post-flags/post-flag.policy.js";
import type { PostFlagRecord } from "../../src/resources/post-flags/post-flag.service.js";
import { Post } from "../posts/post.type.js";
import { editsOf } from "../shared/edits.js";
import { boolean, int, ints, nested, nullable, oneOf, string } from "../shared/fields.js";
import { list, one, resolversOf } from "../shared/operations.js";
import { computed, relation } from "../shared/record-fields.js";
import { User } from "../users/user.type.js";
import { PostFlag, PostFlagCategory } from "./post-flag.type.js";

const SECRET = "null unless the viewer is that user or a Moderator or above";

resolversOf(PostFlag, {
  postFlags: list({
    of: PostFlag,
    description: "Lists flags of posts, newest first.",
    search: {
      id: ints("Flags with these IDs."),
      postId: ints("Flags of these posts."),
      creatorId: ints("Flags by these users; only the viewer's own below Moderator level."),
      creatorName: string("Flags by the user with this name; only the viewer's own below Moderator level."),
      reasonMatches: string("Text contained in the reason; with `*`, a pattern that matches the whole reason."),
      isResolved: boolean("Only flags whose post has been approved since (true) or has not (false)."),
      category: oneOf(PostFlagCategory, "Flags with a reason of this category."),
    },
    find: (context, search, page) => context.board.postFlags.search(context, search, page),
  }),

  postFlag: one({ of: PostFlag, description: "One flag of a post.", id: "ID of the flag." }),

  createPostFlag: editsOf(PostFlag, ({ postFlags }) => postFlags).create(
    "Flags a post for deletion.",
    {
      postId: int("ID of the post."),
      reason: string("Why the post should be deleted; at most 500 characters."),
    },
    null,
  ),

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
