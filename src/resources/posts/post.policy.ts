/** Who may do what with posts. */
import type { Lock } from "../../tagging/tag-string.js";
import { LOCK as NOTE_LOCK } from "../notes/note.policy.js";
import { admin, from, janitor, member, noted, open, right, type Rights } from "../shared/policy.js";
import { listedVotes } from "../shared/privacy.policy.js";

interface Banned {
  isBanned: boolean;
}
interface Uploaded {
  uploaderId: number;
}
const owner = ({ uploaderId }: Uploaded): number => uploaderId;

/** The files of banned posts are for Gold and above; the posts themselves stay listed for everybody. */
export const maySeeFile = right<Banned>({
  gate: "gold",
  onlyIf: ({ isBanned }) => isBanned,
  note: "Of a banned post.",
});

export const mayUpdate = right<Banned>({
  gate: "member",
  also: ({ isBanned }) => (isBanned ? "gold" : null),
  note: "Of a banned post from Gold on.",
});
const BANNED = mayUpdate.permission.note;

export const mayVote = mayUpdate;

/** Rating and notes are locked by Builders, the status by Admins. */
export const mayLock = right<Lock>({
  gate: "builder",
  also: (lock) => (lock === "status" ? "admin" : null),
  note: "The status: Admins only.",
});

/** A new source URL brings a new file only by the hand of the uploader or of a Builder. */
export const mayReplaceFile = right<Uploaded>({ gate: "member", others: "builder", owner });

export const mayAppeal = member;

export const mayApprove = right<Uploaded>({
  gate: "janitor",
  own: "nobody",
  owner,
  note: "Nobody approves the own upload.",
});

export const mayDelete = janitor;

export const mayUndelete = right<Uploaded>({
  gate: "janitor",
  own: "admin",
  owner,
  note: "Only Admins bring the own upload back.",
});

export const mayBan = janitor;
export const mayMoveFavorites = janitor;
export const mayExpunge = admin;

const listed = from("public", "The file of a banned post is for Gold and above.");

export const postRights: Rights = {
  reads: {
    mediaFile: listed,
    popularPosts: open,
    post: listed,
    postAppeal: open,
    postAppeals: open,
    postCounts: open,
    posts: listed,
    postVersion: open,
    postVersions: open,
    postVotes: listedVotes,
    randomPost: open,
    tagEdit: open,
  },
  writes: {
    approvePost: mayApprove,
    banPost: mayBan,
    copyNotes: noted(mayUpdate, `${BANNED} ${NOTE_LOCK}`),
    createPostAppeal: mayAppeal,
    createPostVote: mayVote,
    deletePost: mayDelete,
    deletePostVote: noted(mayVote, `One's own vote. ${BANNED}`),
    expungePost: mayExpunge,
    lockPost: mayLock,
    movePostFavorites: mayMoveFavorites,
    revertPost: mayUpdate,
    unbanPost: mayBan,
    undeletePost: mayUndelete,
    unlockPost: mayLock,
    updatePost: noted(
      mayUpdate,
      `${BANNED} Locks of rating and notes are heeded from Builder on, of the status from Admin on. A source brings a new file for the uploader and Builders.`,
    ),
    updatePosts: noted(mayUpdate, `Each by the rules of \`updatePost\`. ${BANNED}`),
  },
  subscriptions: { postChanged: open, postCreated: open },
  fields: {
    MediaFile: maySeeFile,
    "Post.fileUrl": maySeeFile,
    "Post.largeFileUrl": maySeeFile,
    "Post.md5": maySeeFile,
    "Post.mediaFile": maySeeFile,
    "Post.previewFileUrl": maySeeFile,
    "Post.thumbnail": maySeeFile,
  },
};
