/** One edit of several posts. */
import { Arg, Ctx, Extensions, Mutation, Resolver } from "type-graphql";
import type { PostRef } from "../../src/resources/posts/post.records.js";
import { type EditRefusal as EditRefusalOf, MOST_EDITED } from "../../src/resources/posts/post.service.js";
import type { GraphQLContext } from "../context.js";
import { Gated } from "../shared/access.js";
import { inputType, int, ints, listOf, nested, objectType, string } from "../shared/fields.js";
import { Limited } from "../shared/limited.js";
import { Post } from "./post.type.js";

const UpdatePostsInput = inputType("UpdatePostsInput", "One edit of several posts.", {
  postIds: ints(`Numbers of the posts, at most ${MOST_EDITED}.`),
  tagChanges: string("Tags to add, `-tag` to remove, and meta-tags, as `updatePost` takes them. All other tags stay."),
});
type UpdatePostsInput = InstanceType<typeof UpdatePostsInput>;

const EditRefusal = objectType("EditRefusal", "Why a post was not edited.", {
  postId: int("Number of the post."),
  code: string("Code of the table of errors."),
  reason: string("The reason, out of the table of errors."),
});

/** As many posts as an edit may have. */
const postsCost = ({ childComplexity }: { childComplexity: number }): number => MOST_EDITED * (1 + childComplexity);

const UpdatePostsPayload = objectType("UpdatePostsPayload", "What came of an edit of several posts.", {
  posts: listOf(nested(() => Post, "Those that were edited, as they are now.", Extensions({ complexity: postsCost }))),
  refusals: listOf(nested(() => EditRefusal, "Those that were not, and why.")),
});

@Resolver()
export class PostBulkResolver {
  @Mutation(() => UpdatePostsPayload, {
    description:
      "Makes the same change to the tags of several posts, each by itself: what is refused is told post by post, and the others are edited.",
  })
  @Gated()
  @Limited("postEdit")
  updatePosts(
    @Arg("input", () => UpdatePostsInput, { description: "The posts, and the change." }) input: UpdatePostsInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ posts: PostRef[]; refusals: EditRefusalOf[] }> {
    const { board, viewer, address } = context;
    const count = () => board.limiter.act("postEdit", viewer, address);
    return board.posts.updateMany(context, input.postIds, input.tagChanges, count);
  }
}
