import { MOST_EDITED } from "../../src/resources/posts/post-edit.service.js";
import { Costing, int, ints, listOf, nested, objectType, string } from "../shared/fields.js";
import { mutation, resolversOf } from "../shared/operations.js";
import { Post } from "./post.type.js";

const EditRefusal = objectType("EditRefusal", "A post whose edit was refused, with the reason.", {
  postId: int("ID of the post."),
  code: string("The error code."),
  reason: string("The error's reason."),
});

/** Cost of the maximum number of posts of an edit. */
const postsCost = ({ childComplexity }: { childComplexity: number }): number => MOST_EDITED * (1 + childComplexity);

const UpdatePostsPayload = objectType("UpdatePostsPayload", "The result of `updatePosts`.", {
  posts: listOf(nested(() => Post, "The edited posts.", Costing(postsCost))),
  refusals: listOf(nested(() => EditRefusal, "The posts whose edit was refused, with the reasons.")),
});

resolversOf(UpdatePostsPayload, {
  updatePosts: mutation({
    description:
      "Applies the same tag edit to several posts, each independently: a post whose edit is refused is reported and the others are edited.",
    limited: "postEdit",
    input: [
      {
        postIds: ints(`IDs of the posts, at most ${MOST_EDITED}.`),
        tagChanges: string(
          "Tags to add, `-tag` to remove, and meta-tags, in the format that `updatePost` takes. Other tags do not change.",
        ),
      },
      "One edit of several posts.",
      "The posts and the tag edit.",
    ],
    payload: UpdatePostsPayload,
    resolve: (context, { postIds, tagChanges }) => context.board.postEdits.updateMany(context, postIds, tagChanges),
  }),
});
