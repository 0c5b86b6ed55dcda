import { Rating, VoteScore } from "../shared/enums.js";
import { Post } from "./post.type.js";
import {
  int,
  string,
  boolean,
  date,
  oneOf,
  nested,
  nullable,
  allNullable,
  objectType,
  inputType,
} from "../shared/fields.js";

export const UpdatePostInput = inputType("UpdatePostInput", "An edit of a post. What is absent stays as it is.", {
  id: int("Number of the post."),
  ...allNullable({
    tagString: string(
      "All tags, separated by blanks; also `-tag`, `artist:name`, `rating:s`, `parent:1`, `source:url`, `pool:1`, " +
        "`newpool:name`, `fav:me`, `upvote:me`, `child:2`.",
    ),
    oldTagString: string("The tags that you saw before the edit, so that others' edits in between are kept."),
    rating: oneOf(Rating, "How explicit it is."),
    oldRating: oneOf(Rating, "The rating that you saw."),
    source: string(
      "Where it comes from. Of a URL, the file is taken over when you uploaded the post or are a Builder.",
    ),
    oldSource: string("The source that you saw."),
    parentId: int("Number of the parent post; null takes it away."),
    oldParentId: int("The parent that you saw."),
    isNoteLocked: boolean("Lock the notes (Builder)."),
    isRatingLocked: boolean("Lock the rating (Builder)."),
    isStatusLocked: boolean("Lock the status (Admin)."),
  }),
});

export const RevertPostInput = inputType("RevertPostInput", "Which version a post goes back to.", {
  id: int("Number of the post."),
  versionId: int("Number of the version, which must be one of this post."),
});

export const CreatePostVoteInput = inputType("CreatePostVoteInput", "A vote on a post.", {
  postId: int("Number of the post."),
  score: oneOf(VoteScore, "Up or down."),
});
export type CreatePostVoteInput = InstanceType<typeof CreatePostVoteInput>;

export const DeletePostVoteInput = inputType("DeletePostVoteInput", "Which vote to take back.", {
  postId: int("Number of the post."),
});
export type DeletePostVoteInput = InstanceType<typeof DeletePostVoteInput>;

export const PostVote = objectType("PostVote", "A user's vote on a post.", {
  id: int("Number of the vote."),
  postId: int("Number of the post."),
  userId: int("Who voted."),
  score: int("1 or -1."),
  createdAt: date("When the vote was given."),
  updatedAt: date("When the vote was last changed."),
});

export const CreatePostVotePayload = objectType("CreatePostVotePayload", "The vote, and the post with its new score.", {
  vote: nested(() => PostVote, "The vote."),
  post: nullable(nested(() => Post, "The post with its new score.")),
});

export const DeletePostVotePayload = objectType(
  "DeletePostVotePayload",
  "The vote that was taken back, and the post with its new score.",
  {
    vote: nested(() => PostVote, "The vote as it was."),
    post: nullable(nested(() => Post, "The post with its new score.")),
  },
);
