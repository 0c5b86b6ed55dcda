/** Rights on flags: only the flagger and Moderators see who flagged. */
import { from, janitor, member, moderator, right, type Rights } from "../shared/policy.js";

export const mayFlag = member;

/** The flaggers of all posts: a listing by flagger shows others nothing but their own flags. */
export const maySeeFlaggers = moderator;

export const maySeeFlagger = right<{ creatorId: number | null }>({
  minimum: "public",
  own: "account",
  others: "moderator",
  owner: ({ creatorId }) => creatorId,
});

/** Users who work on the queue have no limit. */
export const mayFlagWithoutLimit = janitor;

const listed = from("public", "The flagger is visible to Moderators and above, and to the flagger.");

export const postFlagRights: Rights = {
  reads: { postFlag: listed, postFlags: listed },
  writes: { createPostFlag: mayFlag },
  fields: {
    "PostFlag.creator": maySeeFlagger,
    "PostFlag.creatorId": maySeeFlagger,
    "PostFlag.creatorName": maySeeFlagger,
    "UserActivity.flagCount": maySeeFlagger,
  },
};
