/** Rights on pools: every member may create and edit them, Janitors delete them. */
import { from, janitor, member, withNote, open, right, type Rights } from "../shared/policy.js";

/** Only Builders change the category of a pool with more posts than this. */
const SMALL_POOL_POSTS = 100;

/** Creating, editing and reverting. */
export const mayEdit = member;

/** Deleting and undeleting. */
export const mayDelete = janitor;

/** Whether lists include deleted pools by default; everybody may search for them. */
export const mayListDeleted = janitor;

export const mayChangeCategory = right<{ postCount: number }>({
  minimum: "member",
  also: ({ postCount }) => (postCount > SMALL_POOL_POSTS ? "builder" : null),
});

export const poolRights: Rights = {
  reads: {
    pool: open,
    pools: from("public", "Lists include deleted pools by default for Janitors and above only."),
    poolVersion: open,
    poolVersions: open,
  },
  writes: {
    createPool: mayEdit,
    deletePool: mayDelete,
    revertPool: mayEdit,
    undeletePool: mayDelete,
    updatePool: withNote(
      mayEdit,
      `The category of a pool with more than ${SMALL_POOL_POSTS} posts: Builders and above.`,
    ),
  },
};
