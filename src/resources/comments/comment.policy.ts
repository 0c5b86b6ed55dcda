/** Rights on comments: creators on their own, Janitors and above on all. */
import { from, gold, janitor, member, withNote, open, right, type Rights } from "../shared/policy.js";
import { listedVotes, maySeeTextOf } from "../shared/privacy.policy.js";

interface Comment {
  creatorId: number;
  isDeleted: boolean;
  /** the user who last edited, deleted or restored it */
  updaterId: number | null;
}

const owner = ({ creatorId }: Comment): number => creatorId;
const ofOwner = { minimum: "member", others: "janitor", owner } as const;

export const mayCreate = member;

/** Creators can't edit their deleted comments. */
export const mayUpdate = right<Comment>({
  ...ofOwner,
  also: ({ isDeleted }) => (isDeleted ? "janitor" : null),
  note: "Deleted comments, and `is_sticky`: Janitors and above.",
});

export const mayDelete = right<Comment>(ofOwner);

export const mayUndelete = right<Comment>({
  ...ofOwner,
  also: ({ isDeleted, updaterId }, viewer) => (isDeleted && updaterId !== viewer.id ? "janitor" : null),
  note: "Creators can undo their own deletion, but not one by staff.",
});

/** Only staff make comments sticky. */
export const mayMakeSticky = janitor;

export const mayVote = right<Comment>({
  minimum: "member",
  also: ({ isDeleted }) => (isDeleted ? "nobody" : null),
  note: "Not on deleted comments.",
});

export const maySeeBody = maySeeTextOf("comment");

/** Gold and above have no hourly limit of comments. */
export const isUnlimited = gold;

const listed = from("public", "The text of a deleted comment is visible to its creator and to Janitors and above.");

export const commentRights: Rights = {
  reads: { comment: listed, commentedPosts: open, comments: listed, commentVotes: listedVotes },
  writes: {
    createComment: withNote(mayCreate, "`is_sticky`: Janitors and above."),
    createCommentVote: mayVote,
    deleteComment: mayDelete,
    deleteCommentVote: from("member", "Your own vote."),
    undeleteComment: mayUndelete,
    updateComment: mayUpdate,
  },
  subscriptions: { commentCreated: open },
  fields: { "Comment.body": maySeeBody, "Comment.bodyHtml": maySeeBody },
};
