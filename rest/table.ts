/** All rows in one table: the router and the tests read it. */
import type { ResourceRow } from "./adapter/row.js";
import { artistCommentaries } from "./artist-commentaries/artist-commentaries.js";
import { artists } from "./artists/artists.js";
import { bans } from "./bans/bans.js";
import { comments } from "./comments/comments.js";
import { dmails } from "./dmails/dmails.js";
import { explore } from "./explore/explore.js";
import { modActions } from "./mod-actions/mod-actions.js";
import { favoriteGroups } from "./favorite-groups/favorite-groups.js";
import { favorites } from "./favorites/favorites.js";
import { forum } from "./forum/forum.js";
import { notes } from "./notes/notes.js";
import { pools } from "./pools/pools.js";
import { postAppeals } from "./post-appeals/post-appeals.js";
import { postFlags } from "./post-flags/post-flags.js";
import { posts } from "./posts/posts.js";
import { session } from "./session/session.js";
import { tagRelations } from "./tag-relations/tag-relations.js";
import { tags } from "./tags/tags.js";
import { uploads } from "./uploads/uploads.js";
import { users } from "./users/users.js";
import { userFeedbacks } from "./user-feedbacks/user-feedbacks.js";
import { wikiPages } from "./wiki-pages/wiki-pages.js";

export const table: readonly ResourceRow[] = [
  ...posts,
  ...postFlags,
  ...postAppeals,
  ...comments,
  ...dmails,
  ...favorites,
  ...favoriteGroups,
  ...artists,
  ...artistCommentaries,
  ...notes,
  ...pools,
  ...uploads,
  ...users,
  ...userFeedbacks,
  ...session,
  ...tags,
  ...tagRelations,
  ...wikiPages,
  ...forum,
  ...explore,
  ...bans,
  ...modActions,
];
