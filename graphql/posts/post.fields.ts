/** The fields of a post that lead to other records, and what its viewer may do with it. */
import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import * as policy from "../../src/resources/posts/post.policy.js";
import { mayCreate as mayComment } from "../../src/resources/comments/comment.policy.js";
import { mayCreate as mayAnnotate } from "../../src/resources/notes/note.policy.js";
import { member } from "../../src/resources/shared/policy.js";
import type { PostRecord, PostRef } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import { costOf, First, lengthOf, RECORDS, TAGS } from "../shared/bounded.js";
import { Tag } from "../tags/tag.type.js";
import { User } from "../users/user.type.js";
import { Post } from "./post.type.js";
import { Thumbnail, thumbnailOf } from "./thumbnail.type.js";
import { resolver, relation, records, abilities, computed } from "../shared/operations.js";
import { boolean, nested, nullable, oneOf, strings } from "../shared/fields.js";
import { voteOf, VoteScore } from "../shared/enums.js";

type Context = GraphQLContext;

export const PostRelations = resolver(Post, {
  uploader: relation(() => User, "Who uploaded it."),

  approver: relation(() => User, "Who approved it last."),

  parent: relation(() => Post, "The parent post."),

  tags: records(() => Tag, "postTags", "The tags, by name.", TAGS),

  viewerCan: abilities("a post", {
    update: [policy.mayUpdate, "Edit tags, rating, source and parent, and revert."],
    vote: [policy.mayVote, "Vote."],
    lock: [(viewer) => policy.mayLock(viewer, "rating"), "Lock and unlock notes and rating."],
    lockStatus: [(viewer) => policy.mayLock(viewer, "status"), "Lock and unlock the status."],
    flag: [policy.mayFlag, "Flag it for deletion."],
    appeal: [policy.mayAppeal, "Appeal for it, when it is deleted or flagged."],
    copyNotes: [policy.mayUpdate, "Copy notes onto it."],
    approve: [policy.mayApprove, "Approve it; never their own upload."],
    delete: [policy.mayDelete, "Delete it."],
    undelete: [policy.mayUndelete, "Bring it back, when it is deleted."],
    ban: [policy.mayBan, "Ban it and lift its ban."],
    moveFavorites: [policy.mayMoveFavorites, "Give its favorites to its parent."],
    expunge: [policy.mayExpunge, "Remove it for good."],
    favorite: [member, "Make it a favorite."],
    comment: [mayComment, "Comment on it."],
    annotate: [
      (viewer, post: PostRecord) => mayAnnotate(viewer, undefined) && !post.isNoteLocked,
      "Put notes on it; nobody while they are locked.",
    ],
  }),

  thumbnail: computed(
    nullable(nested(() => Thumbnail, "The picture for lists; null when the viewer may not see the file.")),
    thumbnailOf,
  ),

  viewerHasFavorited: computed(
    boolean("Whether it is among the viewer's favorites."),
    (post: PostRecord, { loaders }) => loaders.postFavorited.load(post.id),
  ),

  hiddenBy: computed(
    strings("The lines of the viewer's blacklist that match it; of the board's own for visitors."),
    (post: PostRecord, { loaders }) => loaders.postHiddenBy.load(post.id),
  ),

  viewerVote: computed(
    nullable(oneOf(VoteScore, "How the viewer voted; null for not at all.")),
    async (post: PostRecord, { loaders }) => voteOf(await loaders.postVote.load(post.id)),
  ),
});

@Resolver(() => Post)
export class PostFields {
  @FieldResolver(() => [Post], { complexity: costOf(RECORDS), description: "The posts that have this one as parent." })
  async children(
    @Root() post: PostRecord,
    @First(RECORDS) first: number | null,
    @Ctx() { loaders }: Context,
  ): Promise<PostRef[]> {
    const ids = post.childIds.slice(0, lengthOf(RECORDS, first));
    const children = await Promise.all(ids.map((id) => loaders.post.load(id)));
    return children.filter((child) => child !== null);
  }
}
