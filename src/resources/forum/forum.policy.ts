/** Rights in the forum: creators edit their own topics and posts, Janitors all; Moderators pin, lock and hide topics. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import {
  described,
  from,
  janitor,
  member,
  moderator,
  withNote,
  right,
  type Right,
  type Rights,
  type Rule,
} from "../shared/policy.js";
import { maySeeTextOf } from "../shared/privacy.policy.js";

interface Owned {
  creatorId: number;
  isDeleted: boolean;
}

/** Staff and creators can read the text of a deleted post. */
export const maySeeBody = maySeeTextOf("forum post");

/** The highest `min_level` of topics that a viewer can see; 0 while banned. */
export const visibleLevel = ({ level, isBanned }: Viewer): number => (isBanned ? 0 : level);

/** For everybody else, the topic and its posts don't exist. */
export const maySeeTopic: Right<{ minLevel: number }> = described(
  { minimum: "moderator", note: "For a topic whose `min_level` is Moderator." },
  (viewer, { minLevel }) => minLevel <= visibleLevel(viewer),
);

/** Whether lists show deleted topics and posts by default. */
export const seesDeleted = janitor;

export const mayCreate = member;

const ofOwner = { minimum: "member", others: "janitor", owner: ({ creatorId }: Owned) => creatorId } as const;

/** Creators can't edit their deleted topics and posts. */
export const mayEdit = right<Owned>({ ...ofOwner, also: ({ isDeleted }) => (isDeleted ? "janitor" : null) });

export const mayDelete = right<Owned>(ofOwner);

export const mayUndelete = janitor;

/** Pinning topics, locking them, and hiding them from lower levels. */
export const mayModerate = moderator;

interface Lockable {
  isLocked: boolean;
}

/** Whether the viewer may write in the topic, considering its lock. */
export const passesLock: Rule<Lockable> = (viewer, topic) => !topic.isLocked || janitor(viewer);

/** A rule for topics or posts, which fails in a locked topic for viewers below Janitor. */
export const unlessLocked =
  <Record>(rule: Rule<Record>): Rule<Record & (Lockable | { inTopic: Lockable })> =>
  (viewer, record) =>
    passesLock(viewer, "inTopic" in record ? record.inTopic : record) && rule(viewer, record);

export const listed = from(
  "public",
  "Topics with a `min_level`, and everything in them, are visible to that level and above.",
);

const LOCK = "In a locked topic: Janitors and above (422).";
const DELETED = "If it is deleted: Janitors and above.";

export const forumRights: Rights = {
  reads: { forumPost: listed, forumPosts: listed, forumTopic: listed, forumTopics: listed },
  writes: {
    createForumPost: withNote(mayCreate, LOCK),
    createForumTopic: withNote(mayCreate, "`is_sticky`, `is_locked` and `min_level`: Moderators and above."),
    deleteForumPost: withNote(mayDelete, LOCK),
    deleteForumTopic: withNote(mayDelete, LOCK),
    undeleteForumPost: mayUndelete,
    undeleteForumTopic: mayUndelete,
    updateForumPost: withNote(mayEdit, `${DELETED} ${LOCK}`),
    updateForumTopic: withNote(
      mayEdit,
      `${DELETED} \`is_sticky\`, \`is_locked\` and \`min_level\`: Moderators and above. ${LOCK}`,
    ),
  },
  fields: {
    "ForumPost.body": maySeeBody,
    "ForumPost.bodyHtml": maySeeBody,
    ForumPost: maySeeTopic,
    ForumTopic: maySeeTopic,
  },
};
