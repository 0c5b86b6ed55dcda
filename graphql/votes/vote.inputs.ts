import { Field, InputType, Int } from "type-graphql";
import type {
  CommentVoteSearch as CommentVoteSearchAttributes,
  PostVoteSearch as PostVoteSearchAttributes,
} from "../../src/resources/votes/vote.search.js";
import { CommentVote } from "../comments/comment.type.js";
import { PostVote } from "../posts/post.inputs.js";
import { Connection } from "../shared/connection.js";

export const PostVoteConnection = Connection(PostVote, "PostVote");
export const CommentVoteConnection = Connection(CommentVote, "CommentVote");

/** What both searches have. */
@InputType()
abstract class VoteSearch {
  @Field(() => [Int], { nullable: true, description: "Votes of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Votes of these users." })
  userId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Votes of the user of this name." })
  userName?: string | null;

  @Field(() => Int, { nullable: true, description: "Votes up (1) or down (-1)." })
  score?: number | null;
}

@InputType({ description: "Which votes on posts to list." })
export class PostVoteSearch extends VoteSearch implements PostVoteSearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Votes on these posts." })
  postId?: number[] | null;
}

@InputType({ description: "Which votes on comments to list." })
export class CommentVoteSearch extends VoteSearch implements CommentVoteSearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Votes on these comments." })
  commentId?: number[] | null;
}
