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

export const UpdatePostInput = inputType("UpdatePostInput", "An edit of a post. Absent fields do not change.", {
  id: int("ID of the post."),
  ...allNullable({
    tagString: string(
      "All tags, separated by spaces; also `-tag`, `artist:name`, `rating:s`, `parent:1`, `source:url`, `pool:1`, " +
        "`newpool:name`, `fav:me`, `upvote:me`, `child:2`.",
    ),
    oldTagString: string(
      "The tags before the edit, as the client last read them, so that concurrent edits are merged.",
    ),
    rating: oneOf(Rating, "The rating."),
    oldRating: oneOf(Rating, "The rating before the edit, as the client last read it."),
    source: string(
      "The source. If it is a URL and the viewer is the uploader or a Builder or above, the file at the URL replaces the post's file.",
    ),
    oldSource: string("The source before the edit, as the client last read it."),
    parentId: int("ID of the parent post; null removes it."),
    oldParentId: int("The parent before the edit, as the client last read it."),
    isNoteLocked: boolean("Lock the notes; Builders and above."),
    isRatingLocked: boolean("Lock the rating; Builders and above."),
    isStatusLocked: boolean("Lock the status; Admins."),
  }),
});

export const CreatePostVoteInput = inputType("CreatePostVoteInput", "A vote on a post.", {
  postId: int("ID of the post."),
  score: oneOf(VoteScore, "The direction."),
});

export const DeletePostVoteInput = inputType("DeletePostVoteInput", "The post whose vote to remove.", {
  postId: int("ID of the post."),
});

export const PostVote = objectType("PostVote", "A user's vote on a post.", {
  id: int("ID of the vote."),
  postId: int("ID of the post."),
  userId: int("Who voted."),
  score: int("1 or -1."),
  createdAt: date("When the vote was created."),
  updatedAt: date("When the vote was last changed."),
});

export const CreatePostVotePayload = objectType("CreatePostVotePayload", "The vote and the post with its new score.", {
  vote: nested(() => PostVote, "The vote."),
  post: nullable(nested(() => Post, "The post with its new score.")),
});

export const DeletePostVotePayload = objectType(
  "DeletePostVotePayload",
  "The removed vote and the post with its new score.",
  {
    vote: nested(() => PostVote, "The removed vote."),
    post: nullable(nested(() => Post, "The post with its new score.")),
  },
);
