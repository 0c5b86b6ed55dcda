/** Rights on posts. */
import type { Lock } from "../../tagging/tag-string.js";
import { LOCK as NOTE_LOCK } from "../notes/note.policy.js";
import { admin, from, janitor, member, withNote, open, right, type Rights } from "../shared/policy.js";
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
  minimum: "gold",
  onlyIf: ({ isBanned }) => isBanned,
  note: "If the post is banned.",
});

export const mayUpdate = right<Banned>({
  minimum: "member",
  also: ({ isBanned }) => (isBanned ? "gold" : null),
  note: "If the post is banned: Gold and above.",
});
const BANNED = mayUpdate.permission.note;

export const mayVote = mayUpdate;

/** Rating and notes are locked by Builders, the status by Admins. */
export const mayLock = right<Lock>({
  minimum: "builder",
  also: (lock) => (lock === "status" ? "admin" : null),
  note: "The status lock: Admins only.",
});

/** A new source URL replaces the file only in edits by a Builder, or by the uploader while nobody has approved the post: it would show what was not approved. */
export const mayReplaceFile = right<Uploaded & { isPending: boolean }>({
  minimum: "member",
  others: "builder",
  owner,
  also: ({ isPending }) => (isPending ? null : "builder"),
});

export const mayAppeal = member;

export const mayApprove = right<Uploaded>({
  minimum: "janitor",
  own: "nobody",
  owner,
  note: "Not your own upload.",
});

export const mayDelete = janitor;

export const mayUndelete = right<Uploaded>({
  minimum: "janitor",
  own: "admin",
  owner,
  note: "Your own upload: Admins only.",
});

export const mayBan = janitor;
export const mayMoveFavorites = janitor;
export const mayExpunge = admin;

const listed = from("public", "The file of a banned post is visible to Gold and above.");

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
    copyNotes: withNote(mayUpdate, `${BANNED} ${NOTE_LOCK}`),
    createPostAppeal: mayAppeal,
    createPostVote: mayVote,
    deletePost: mayDelete,
    deletePostVote: withNote(mayVote, `Your own vote. ${BANNED}`),
    expungePost: mayExpunge,
    lockPost: mayLock,
    movePostFavorites: mayMoveFavorites,
    revertPost: mayUpdate,
    unbanPost: mayBan,
    undeletePost: mayUndelete,
    unlockPost: mayLock,
    updatePost: withNote(
      mayUpdate,
      `${BANNED} Locks of rating and notes are ignored below Builder, that of the status below Admin. A new source replaces the file only for the uploader of a pending post and Builders.`,
    ),
    updatePosts: withNote(mayUpdate, `For each post as in \`updatePost\`. ${BANNED}`),
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
