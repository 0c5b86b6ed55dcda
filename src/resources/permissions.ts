/**
 * Who may do what, as one table: it makes docs/permissions.md, and a test walks it over HTTP. The answers themselves are
 * given by the policies beside this file; an operation is named as the field of the schema that does it.
 */
import { Level, type LevelName } from "../runtime/auth/levels.js";

/** A level and all above it, with a ban taking every right away; `public` is everybody. */
export type Gate = Exclude<Lowercase<LevelName>, "anonymous" | "restricted"> | "public";

/** What a record can ask for beyond the gate; `account`: signed in, banned or not. */
export type Demand = Gate | "account" | "nobody";

/** The kinds of viewers, in the order of their rights. */
export const ROLES = [
  "anonymous",
  "banned",
  "member",
  "gold",
  "platinum",
  "builder",
  "contributor",
  "janitor",
  "moderator",
  "admin",
] as const;
export type Role = (typeof ROLES)[number];

export interface Permission {
  /** the front gate: who may at all */
  gate: Gate;
  /** what the record asks of the one who made it, where that is more */
  own?: Demand;
  /** what the record asks of everybody else, where that is more */
  others?: Demand;
  /** what depends on more than that: locks, states, single attributes */
  note?: string;
}

const open: Permission = { gate: "public" };
const members: Permission = { gate: "member" };
const builders: Permission = { gate: "builder" };
const janitors: Permission = { gate: "janitor" };
const admins: Permission = { gate: "admin" };
const ownDmail: Permission = {
  gate: "member",
  others: "nobody",
  note: "Copies are their owner's, whatever the level.",
};
const ownAccount: Permission = {
  gate: "public",
  own: "account",
  others: "nobody",
  note: "One's own account, also while banned.",
};
const withPassword: Permission = { ...ownAccount, note: `${ownAccount.note} It takes the password.` };
const bannedPost = "Of a banned post from Gold on.";
const noteLock = "Nobody while the post's notes are locked (422).";
const wikiLock = "Of a locked page from Builder on (422).";
const topicLock = "In a locked topic from Janitor on (422).";
const ownRecord: Permission = { gate: "member", others: "janitor" };
const relation: Permission = {
  gate: "member",
  others: "builder",
  note: "One that is no longer pending: Admins only.",
};
const ownVotes: Permission = { gate: "public", note: "One's own; everybody's for Admins." };
const ownGroup: Permission = {
  gate: "member",
  others: "nobody",
  note: "A private group of another user is not there (404).",
};
const privateGroups = "Private ones are for their creator.";
const hiddenTopics = "What stands in a topic with `min_level` is there for that level and above.";
const flaggers = "Who flagged is told to Moderators and the flagger.";

/** The reads. */
export const READS: Readonly<Record<string, Permission>> = {
  artist: open,
  artistCommentaries: open,
  artistCommentary: open,
  artistCommentaryVersion: open,
  artistCommentaryVersions: open,
  artists: open,
  artistUrls: open,
  artistVersion: open,
  artistVersions: open,
  autocomplete: open,
  ban: open,
  board: open,
  bannedArtists: open,
  bans: open,
  comment: { gate: "public", note: "The text of a deleted comment is for its creator and Janitors." },
  commentedPosts: open,
  commentVotes: ownVotes,
  comments: { gate: "public", note: "The text of a deleted comment is for its creator and Janitors." },
  dmail: ownDmail,
  dmails: { gate: "member", note: "One's own mailbox." },
  favoriteGroup: { gate: "public", note: privateGroups },
  favoriteGroups: { gate: "public", note: privateGroups },
  favoriteGroupVersion: { gate: "public", note: privateGroups },
  favoriteGroupVersions: { gate: "public", note: privateGroups },
  favorites: { gate: "public", note: "Favorites that their user keeps private are for that user and Admins." },
  forumPost: { gate: "public", note: hiddenTopics },
  forumPosts: { gate: "public", note: hiddenTopics },
  forumTopic: { gate: "public", note: hiddenTopics },
  forumTopics: { gate: "public", note: hiddenTopics },
  mediaFile: { gate: "public", note: "The file of a banned post is for Gold and above." },
  modAction: { gate: "public", note: hiddenTopics },
  modActions: { gate: "public", note: hiddenTopics },
  node: open,
  note: open,
  notedPosts: open,
  notes: open,
  noteVersion: open,
  noteVersions: open,
  pool: open,
  pools: { gate: "public", note: "Deleted pools are listed unasked for Janitors only." },
  poolVersion: open,
  poolVersions: open,
  popularPosts: open,
  post: { gate: "public", note: "The file of a banned post is for Gold and above." },
  postAppeal: open,
  postAppeals: open,
  postCounts: open,
  postFlag: { gate: "public", note: flaggers },
  postFlags: { gate: "public", note: flaggers },
  posts: { gate: "public", note: "The file of a banned post is for Gold and above." },
  postVotes: ownVotes,
  postVersion: open,
  postVersions: open,
  profile: { gate: "public", own: "account", others: "account", note: "One's own account." },
  randomPost: open,
  relatedTags: open,
  renderText: open,
  tagEdit: open,
  sessions: { gate: "public", own: "account", others: "account", note: "One's own." },
  tag: open,
  tagAlias: open,
  tagAliases: open,
  tagImplication: open,
  tagImplications: open,
  tags: open,
  upload: members,
  uploads: members,
  user: open,
  userFeedback: open,
  userFeedbacks: open,
  users: open,
  viewer: { gate: "public", note: "Null for visitors." },
  wikiPage: open,
  wikiPages: open,
  wikiPageVersion: open,
  wikiPageVersions: open,
};

const bannedFile: Permission = { gate: "gold", note: "Of a banned post." };
const hiddenTopic: Permission = { gate: "moderator", note: "Here of a topic whose `min_level` is that of Moderators." };
const flagger: Permission = { gate: "public", own: "account", others: "moderator" };
const uploaded: Permission = { gate: "member", own: "account", others: "janitor" };

/** What is told to fewer than may read: types, whose records are not there for others, and fields, which are then empty. */
export const FIELDS: Readonly<Record<string, Permission>> = {
  "Comment.body": { gate: "public", own: "account", others: "janitor", note: "Of a deleted comment." },
  "Comment.bodyHtml": { gate: "public", own: "account", others: "janitor", note: "Of a deleted comment." },
  Dmail: { gate: "member", others: "nobody" },
  Favorite: { gate: "public", own: "account", others: "admin", note: "Of a user who keeps them private." },
  FavoriteGroup: { gate: "public", own: "account", others: "nobody", note: "Of a private group." },
  FavoriteGroupVersion: { gate: "public", own: "account", others: "nobody", note: "Of a private group." },
  ForumPost: hiddenTopic,
  ForumTopic: hiddenTopic,
  MediaFile: bannedFile,
  ModAction: hiddenTopic,
  "Post.fileUrl": bannedFile,
  "Post.largeFileUrl": bannedFile,
  "Post.md5": bannedFile,
  "Post.mediaFile": bannedFile,
  "Post.previewFileUrl": bannedFile,
  "Post.thumbnail": bannedFile,
  "PostFlag.creator": flagger,
  "PostFlag.creatorId": flagger,
  "PostFlag.creatorName": flagger,
  "TagAlias.forumTopicId": hiddenTopic,
  "TagImplication.forumTopicId": hiddenTopic,
  Upload: { gate: "member" },
  "Upload.md5": uploaded,
  "Upload.md5Confirmation": uploaded,
  "User.settings": {
    gate: "public",
    own: "account",
    others: "nobody",
    note: "With the API key and the address for mail.",
  },
  "UserActivity.flagCount": flagger,
};

/** What can be listened to. */
export const SUBSCRIPTIONS: Readonly<Record<string, Permission>> = {
  commentCreated: open,
  dmailReceived: { gate: "member", note: "What comes into one's own mailbox." },
  noteChanged: open,
  postChanged: open,
  postCreated: open,
};

/** The writes. */
export const WRITES: Readonly<Record<string, Permission>> = {
  addPostToFavoriteGroup: ownGroup,
  approvePost: { gate: "janitor", own: "nobody", note: "Nobody approves the own upload." },
  approveTagAlias: admins,
  approveTagImplication: admins,
  banArtist: admins,
  banPost: janitors,
  banUser: { gate: "moderator", note: "Users below the own level." },
  changePassword: withPassword,
  closeAccount: { ...withPassword, note: `${withPassword.note} Not that of the last Admin (422).` },
  copyNotes: { gate: "member", note: `${bannedPost} ${noteLock}` },
  createArtist: { gate: "member", note: "`is_active` is heeded from Builder on." },
  createComment: { gate: "member", note: "Sticky from Janitor on." },
  createCommentVote: { gate: "member", note: "Not on deleted comments." },
  createDmail: members,
  createFavorite: members,
  createFavoriteGroup: { gate: "member", note: "3 of them at most, 5 from Gold on, 10 from Platinum on (420)." },
  createForumPost: { gate: "member", note: topicLock },
  createForumTopic: { gate: "member", note: "Sticky, locked or with a `min_level` from Moderator on." },
  createNote: { gate: "member", note: noteLock },
  createOrUpdateArtistCommentary: members,
  createPool: members,
  createPostAppeal: members,
  createPostFlag: members,
  createPostVote: { gate: "member", note: bannedPost },
  createSession: open,
  createUpload: { gate: "member", note: "Below Contributor the post waits for approval." },
  createUser: open,
  createWikiPage: { gate: "member", note: "Locked from Builder on." },
  deleteAllSessions: { gate: "public", own: "account", others: "account", note: "One's own." },
  deleteArtist: builders,
  deleteComment: ownRecord,
  deleteCommentVote: { gate: "member", note: "One's own vote." },
  deleteDmail: ownDmail,
  deleteFavorite: { gate: "member", note: "One's own favorite." },
  deleteFavoriteGroup: ownGroup,
  deleteForumPost: { ...ownRecord, note: topicLock },
  deleteForumTopic: { ...ownRecord, note: topicLock },
  deleteNote: { gate: "member", note: noteLock },
  deletePool: janitors,
  deletePost: janitors,
  deletePostVote: { gate: "member", note: `One's own vote. ${bannedPost}` },
  deleteSession: { gate: "public", note: "Another session than that of the request: one's own." },
  deleteTagAlias: relation,
  deleteTagImplication: relation,
  deleteWikiPage: builders,
  expungePost: admins,
  lockPost: { gate: "builder", note: "The status: Admins only." },
  markAllDmailsAsRead: { gate: "member", note: "One's own mailbox." },
  movePostFavorites: janitors,
  readDmail: ownDmail,
  recoverAccount: { gate: "public", note: "By a token that an administrator made." },
  removePostFromFavoriteGroup: ownGroup,
  rejectTagAlias: admins,
  rejectTagImplication: admins,
  requestTagAlias: members,
  requestTagImplication: members,
  revertArtist: { gate: "member", note: "To another name of a banned artist: Admins only." },
  revertArtistCommentary: members,
  revertFavoriteGroup: ownGroup,
  revertNote: { gate: "member", note: noteLock },
  revertPool: members,
  revertPost: { gate: "member", note: bannedPost },
  revertWikiPage: { gate: "member", note: `${wikiLock} To a state that is locked, or no longer is: from Builder on.` },
  rotateApiKey: withPassword,
  unbanArtist: admins,
  unbanPost: janitors,
  unbanUser: { gate: "moderator", note: "Users below the own level." },
  undeleteArtist: builders,
  undeleteComment: { ...ownRecord, note: "Creators take back their own deletion, not that of the staff." },
  undeleteForumPost: janitors,
  undeleteForumTopic: janitors,
  undeletePool: janitors,
  undeletePost: { gate: "janitor", own: "admin", note: "Only Admins bring the own upload back." },
  unlockPost: { gate: "builder", note: "The status: Admins only." },
  updateArtist: {
    gate: "member",
    note: "`is_active` is heeded from Builder on. Another name for a banned artist: Admins only.",
  },
  updateComment: { ...ownRecord, note: "Deleted ones, and whether one is sticky, from Janitor on." },
  updateDmail: ownDmail,
  updateFavoriteGroup: ownGroup,
  updateForumPost: { ...ownRecord, note: `Deleted ones from Janitor on. ${topicLock}` },
  updateForumTopic: {
    ...ownRecord,
    note: `Deleted ones from Janitor on. Sticky, lock and \`min_level\` from Moderator on. ${topicLock}`,
  },
  updateNote: { gate: "member", note: noteLock },
  updatePool: { gate: "member", note: "The category of a pool of more than 100 posts from Builder on." },
  updateSettings: ownAccount,
  updatePost: {
    gate: "member",
    note: `${bannedPost} Locks of rating and notes are heeded from Builder on, of the status from Admin on. A source brings a new file for the uploader and Builders.`,
  },
  updatePosts: { gate: "member", note: `Each by the rules of \`updatePost\`. ${bannedPost}` },
  updateWikiPage: { gate: "member", note: `${wikiLock} Locking and deleting from Builder on.` },
};

function meets(role: Role, demand: Demand): boolean {
  if (demand === "nobody") return false;
  if (demand === "public") return true;
  if (demand === "account") return role !== "anonymous";
  if (role === "anonymous" || role === "banned") return false;
  return levelOf(role) >= levelOf(demand);
}

const levelOf = (name: string): number =>
  Object.entries(Level).find(([each]) => each.toLowerCase() === name)?.[1] ?? Level.Anonymous;

/** Whether the table allows it on a record that is the viewer's own, or somebody else's. */
export function permits(permission: Permission, role: Role, isOwn: boolean): boolean {
  const demand = isOwn ? permission.own : permission.others;
  return meets(role, permission.gate) && (demand === undefined || meets(role, demand));
}

/** The front gate of an operation. @throws Error for one that the tables lack */
export function gateOf(operation: string): Gate {
  const permission = READS[operation] ?? WRITES[operation] ?? SUBSCRIPTIONS[operation];
  if (!permission) throw new Error(`src/resources/permissions.ts does not say who may do ${operation}`);
  return permission.gate;
}
