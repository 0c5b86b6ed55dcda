/** Expressions over columns of posts, written as their indexes are, for only then do these serve. */
import { sql } from "../../database/client.js";

/** Pixels; int4 holds no square of 46,341. */
export const AREA = sql`(posts.image_width::bigint * posts.image_height)`;

/** Width by height, as `ratio:` compares it. */
export const ROUNDED_RATIO = sql`round(posts.image_width::numeric / posts.image_height, 2)`;

/** Width by height, as orders compare it. */
export const EXACT_RATIO = sql`(posts.image_width::double precision / posts.image_height)`;
