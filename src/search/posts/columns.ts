/** Expressions over columns of posts, written exactly as in their indexes, so that PostgreSQL uses these. */
import { type Sql, sql } from "../../database/client.js";

/** Pixels, as a bigint: the square of 46,341 exceeds an int4. */
export const AREA = sql`(posts.image_width::bigint * posts.image_height)`;

/** Width by height, as `ratio:` compares it. */
export const ROUNDED_RATIO = sql`round(posts.image_width::numeric / posts.image_height, 2)`;

/** Aspect ratio, as compared by orders. */
export const EXACT_RATIO = sql`(posts.image_width::double precision / posts.image_height)`;

/** A post's rank, in units of 35,000 seconds: its upload time, plus a unit for each factor of three of its score. */
export const rankOf = (score: Sql, uploaded: Sql): Sql => sql`(ln(greatest(${score}, 1)::float8) / ln(3::float8)
  + extract(epoch FROM ${uploaded} - '2005-05-24 00:00:00+00'::timestamptz)::float8 / 35000)`;
