/** The fields of a comment that are more than a column, and the comments of a post. */
import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import { mayDelete, maySeeBody, mayUndelete, mayUpdate, mayVote } from "../../src/policies/comment.policy.js";
import type { CommentRecord } from "../../src/services/comment.records.js";
import { clampLimit } from "../../src/services/paging.js";
import type { PostRecord } from "../../src/services/post.records.js";
import type { UserRecord } from "../../src/services/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { User } from "../users/user.type.js";
import { Comment, CommentAbilities } from "./comment.type.js";

@Resolver(() => Comment)
export class CommentFields {
  @FieldResolver(() => Post, { nullable: true })
  post(@Root() comment: CommentRecord, @Ctx() { loaders }: GraphQLContext): Promise<PostRecord | null> {
    return loaders.post.load(comment.postId);
  }

  @FieldResolver(() => User, { nullable: true })
  creator(@Root() comment: CommentRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(comment.creatorId);
  }

  @FieldResolver(() => User, { nullable: true })
  updater(@Root() comment: CommentRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> | null {
    return comment.updaterId === null ? null : loaders.user.load(comment.updaterId);
  }

  @FieldResolver(() => String)
  body(@Root() comment: CommentRecord, @Ctx() { viewer }: GraphQLContext): string {
    return maySeeBody(viewer, comment) ? comment.body : "";
  }

  @FieldResolver(() => CommentAbilities)
  viewerCan(@Root() comment: CommentRecord, @Ctx() { viewer }: GraphQLContext): CommentAbilities {
    return {
      update: mayUpdate(viewer, comment),
      delete: mayDelete(viewer, comment),
      undelete: comment.isDeleted && mayUndelete(viewer, comment),
      vote: mayVote(viewer, comment),
    };
  }
}

/** Most comments that a post gives with itself; the others are found in the list of comments. */
const MAX_COMMENTS = 100;

interface Asked {
  args: { first?: number | null };
  childComplexity: number;
}

const costOfComments = ({ args, childComplexity }: Asked): number =>
  1 + clampLimit(args.first, MAX_COMMENTS) * childComplexity;

@Resolver(() => Post)
export class PostComments {
  @FieldResolver(() => [Comment], {
    description: "The newest comments, oldest first; deleted ones too, without their text.",
    complexity: costOfComments,
  })
  comments(
    @Root() post: PostRecord,
    @Arg("first", () => Int, { nullable: true, description: "Most comments: 20 by default, at most 100." })
    first: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<CommentRecord[]> {
    return loaders.postComments.load({ postId: post.id, limit: clampLimit(first, MAX_COMMENTS) });
  }
}
