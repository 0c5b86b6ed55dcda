/** All rows in one table: the router and the tests read it. */
import type { ResourceRow } from "./adapter/row.js";
import { notes } from "./notes/notes.js";
import { posts } from "./posts/posts.js";
import { session } from "./session/session.js";
import { tags } from "./tags/tags.js";
import { uploads } from "./uploads/uploads.js";
import { users } from "./users/users.js";

export const table: readonly ResourceRow[] = [...posts, ...notes, ...uploads, ...users, ...session, ...tags];
