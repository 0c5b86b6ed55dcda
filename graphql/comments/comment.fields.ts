/** The fields of a comment that are more than a column, and the comments of a post. */
import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { mayDelete, maySeeBody, mayUndelete, mayUpdate, mayVote } from "../../src/resources/comments/comment.policy.js";
import type { CommentRecord } from "../../src/resources/comments/comment.records.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { costOf, First, RECORDS, wanted } from "../shared/bounded.js";
import { User } from "../users/user.type.js";
import { Comment, CommentAbilities } from "./comment.type.js";

@Resolver(() => Comment)
export class CommentFields {
  @FieldResolver(() => Post, { nullable: true, description: "The post." })
  post(@Root() comment: CommentRecord, @Ctx() { loaders }: GraphQLContext): Promise<PostRecord | null> {
    return loaders.post.load(comment.postId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who wrote it." })
  creator(@Root() comment: CommentRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(comment.creatorId);
  }

  @FieldResolver(() => User, { nullable: true, description: "Who last edited, deleted or restored it." })
  updater(@Root() comment: CommentRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> | null {
    return comment.updaterId === null ? null : loaders.user.load(comment.updaterId);
  }

  @FieldResolver(() => String)
  body(@Root() comment: CommentRecord, @Ctx() { viewer }: GraphQLContext): string {
    return maySeeBody(viewer, comment) ? comment.body : "";
  }

  @FieldResolver(() => CommentAbilities, { description: "What the viewer may do with it." })
  viewerCan(@Root() comment: CommentRecord, @Ctx() { viewer }: GraphQLContext): CommentAbilities {
    return {
      update: mayUpdate(viewer, comment),
      delete: mayDelete(viewer, comment),
      undelete: comment.isDeleted && mayUndelete(viewer, comment),
      vote: mayVote(viewer, comment),
    };
  }
}

@Resolver(() => Post)
export class PostComments {
  @FieldResolver(() => [Comment], {
    description: "The newest comments, oldest first; deleted ones too, without their text.",
    complexity: costOf(RECORDS),
  })
  comments(
    @Root() post: PostRecord,
    @First(RECORDS) first: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<CommentRecord[]> {
    return loaders.postComments.load(wanted(RECORDS, post, first));
  }
}
