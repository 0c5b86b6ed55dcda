import { Field, Int, ObjectType } from "type-graphql";
import { Post } from "../posts/post.type.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";

@ObjectType({ description: "What the viewer may do with a comment." })
export class CommentAbilities {
  @Field(() => Boolean, { description: "Change its text." })
  update!: boolean;

  @Field(() => Boolean, { description: "Delete it." })
  delete!: boolean;

  @Field(() => Boolean, { description: "Bring it back, where it is deleted." })
  undelete!: boolean;

  @Field(() => Boolean, { description: "Vote on it; up only where it is somebody else's." })
  vote!: boolean;
}

@ObjectType({ description: "A comment on a post." })
export class Comment {
  @Field(() => Int, { description: "Number of the comment." })
  id!: number;

  @Field(() => Int, { description: "Number of the post." })
  postId!: number;

  @Field(() => Post, { nullable: true, description: "The post." })
  post!: Post | null;

  @Field(() => Int, { description: "Who wrote it." })
  creatorId!: number;

  @Field(() => String, { description: "Name of who wrote it." })
  creatorName!: string;

  @Field(() => User, { nullable: true, description: "Who wrote it." })
  creator!: User | null;

  @Field(() => Int, { nullable: true, description: "Who last edited, deleted or restored it." })
  updaterId!: number | null;

  @Field(() => String, { nullable: true, description: "Name of who last edited, deleted or restored it." })
  updaterName!: string | null;

  @Field(() => User, { nullable: true, description: "Who last edited, deleted or restored it." })
  updater!: User | null;

  @Field(() => String, {
    description:
      "The text as it was written; whoever shows it must sanitise it. Of a deleted comment it is empty but for its creator, Janitors and above.",
  })
  body!: string;

  @Field(() => Int, { description: "Votes up less votes down." })
  score!: number;

  @Field(() => Boolean, { description: "Whether it leaves the post where it is in the comment listing." })
  doNotBumpPost!: boolean;

  @Field(() => Boolean, { description: "Whether it is deleted." })
  isDeleted!: boolean;

  @Field(() => Boolean, { description: "Whether the staff put it above the others." })
  isSticky!: boolean;

  @Field(() => Date, { description: "When it was written." })
  createdAt!: Date;

  @Field(() => Date, { description: "When it was last edited, deleted or restored; votes do not count." })
  updatedAt!: Date;

  @Field(() => CommentAbilities, { description: "What the viewer may do with it." })
  viewerCan!: CommentAbilities;
}

export const CommentConnection = Connection(Comment, "Comment");

@ObjectType({ description: "A vote on a comment." })
export class CommentVote {
  @Field(() => Int, { description: "Number of the vote." })
  id!: number;

  @Field(() => Int, { description: "Number of the comment." })
  commentId!: number;

  @Field(() => Int, { description: "Who voted." })
  userId!: number;

  @Field(() => Int, { description: "1 for a vote up, -1 for a vote down." })
  score!: number;

  @Field(() => Date, { description: "When the vote was cast." })
  createdAt!: Date;

  @Field(() => Date, { description: "When the vote last changed." })
  updatedAt!: Date;
}
