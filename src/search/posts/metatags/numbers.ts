/** Meta-tags that compare a number or a time of the post. */
import { type Sql, sql } from "../../../database/client.js";
import { AREA, ROUNDED_RATIO } from "../columns.js";
import { type End, measured, type Metatag } from "./metatag.js";
import { BLOCK, BLOCK_BITS } from "../../postings/lists.js";
import { type Measure, onlySpan, parseItems, rangeSql, type Span } from "./ranges.js";
import { ageMeasure, dateMeasure, DURATION, FILE_SIZE, INTEGER, MEGAPIXELS, NEGATED_INTEGER, RATIO } from "./values.js";

export const NUMBERS: readonly Metatag[] = [
  measured("id", sql`posts.id`, INTEGER, "post ID", ["id:12", "id:1,5..7,>90"]),
  measured("width", sql`posts.image_width`, INTEGER, "width in pixels", ["width:>=1920"]),
  measured("height", sql`posts.image_height`, INTEGER, "height in pixels", ["height:1080"]),
  measured("mpixels", AREA, MEGAPIXELS, "megapixels; a single number matches within 5 %", ["mpixels:>4"]),
  measured("ratio", ROUNDED_RATIO, RATIO, "aspect ratio, width divided by height, rounded to two places", [
    "ratio:16:9",
    "ratio:<1",
  ]),
  measured("filesize", sql`posts.file_size`, FILE_SIZE, "size of the file", ["filesize:200k", "filesize:1m..2m"]),
  {
    name: "duration",
    value: `${DURATION.name}; ranges, lists, any, none`,
    description: "duration of a video or an animation",
    examples: ["duration:>1m30s", "duration:1:30", "duration:none"],
    toSql: (value) => {
      const condition = rangeSql(sql`file.duration`, value, DURATION, true);
      return (
        condition && sql`EXISTS (SELECT 1 FROM media_files file WHERE file.id = posts.media_file_id AND ${condition})`
      );
    },
    ids: (value) => {
      const isOfSome = parseItems(value, DURATION)?.every((item) => item !== "none");
      const condition = isOfSome ? rangeSql(sql`file.duration`, value, DURATION, true) : null;
      return (
        condition &&
        sql`SELECT posts.id FROM media_files file JOIN posts ON posts.media_file_id = file.id
             WHERE file.duration IS NOT NULL AND ${condition}`
      );
    },
    isPlannedByValue: true,
    isEstimated: true,
  },
  measured("score", sql`posts.score`, INTEGER, "upvotes minus downvotes", ["score:>=10", "score:<0"]),
  measured("upvotes", sql`posts.up_score`, INTEGER, "number of upvotes", ["upvotes:>5"]),
  measured("downvotes", sql`posts.down_score`, NEGATED_INTEGER, "number of downvotes, as a positive number", [
    "downvotes:0",
  ]),
  measured("favcount", sql`posts.fav_count`, INTEGER, "number of favorites", ["favcount:>20"]),
  measured("tagcount", sql`posts.tag_count`, INTEGER, "number of tags", ["tagcount:<10"]),
  measured("gentags", sql`posts.tag_count_general`, INTEGER, "number of general tags", ["gentags:0"]),
  measured("arttags", sql`posts.tag_count_artist`, INTEGER, "number of artist tags", ["arttags:>1"]),
  measured("copytags", sql`posts.tag_count_copyright`, INTEGER, "number of copyright tags", ["copytags:0"]),
  measured("chartags", sql`posts.tag_count_character`, INTEGER, "number of character tags", ["chartags:2..5"]),
  measured("metatags", sql`posts.tag_count_meta`, INTEGER, "number of meta tags", ["metatags:0"]),
  measured("pixiv_id", sql`posts.pixiv_id`, INTEGER, "Pixiv ID of the work", ["pixiv_id:any"], ["pixiv"], true),
  uploaded("date", dateMeasure, "upload date", ["date:2026-01-31", "date:2026-01..2026-03"]),
  uploaded("age", ageMeasure, "time since the upload", ["age:<1w", "age:2d..1mo"]),
];

/** A row for the time of upload. */
function uploaded(name: string, measure: (now: Date) => Measure, description: string, examples: string[]): Metatag {
  const row = measured(name, sql`posts.created_at`, measure, description, examples);
  return {
    ...row,
    bound: (value, { now }, end) => boundOf(value, measure(now), end),
    isPeriod: (value) => onlySpan(value, measure(new Date(0))) !== null,
  };
}

/** At each end of a period: the comparison with its outermost id, which ids a block may have it among, and the order of the blocks. */
const ENDS = {
  newest: { is: sql`<=`, outermost: sql`max`, isInside: sql`>= block.number`, order: sql`DESC` },
  oldest: { is: sql`>=`, outermost: sql`min`, isInside: sql`< block.number + ${BLOCK}::int`, order: sql`ASC` },
};

/**
 * The newest post of a period that has ended is an upper bound of its ids, the oldest one of a period that has a start a lower bound. It is
 * searched for among the outermost posts that can be in the period, or else among all. `+ 0` prevents PostgreSQL from walking
 * through the index of ids. Both ends of the period are needed: with one unknown end, it would read all posts instead of the index of times.
 */
function boundOf(value: string, measure: Measure, end: End): Sql | null {
  const items = parseItems(value, measure);
  if (!items?.every((item) => typeof item !== "string" && (end === "newest" ? item.to : item.from))) return null;
  const period = rangeSql(sql`within.created_at`, value, measure);
  const { is, outermost, isInside } = ENDS[end];
  return (
    period &&
    sql`posts.id ${is} coalesce(${end === "oldest" ? amongFirst(period) : sql`NULL`},
      (SELECT ${outermost}(within.id + 0) FROM (${outermostBlock(items as Span[], measure, end)}) block, posts within
        WHERE within.id + 0 ${isInside} AND within.created_at >= block.first AND within.created_at <= block.last AND ${period}),
      (SELECT ${outermost}(within.id + 0) FROM posts within
        WHERE ${period} AND within.created_at >= '-infinity' AND within.created_at <= 'infinity'))`
  );
}

/** The oldest post of a period among those of the first block, whose times are not in `post_spans`. */
const amongFirst = (period: Sql): Sql => sql`
  (SELECT within.id FROM (SELECT * FROM posts WHERE posts.id < ${BLOCK}::int ORDER BY posts.id OFFSET 0) within
    WHERE ${period} LIMIT 1)`;

/** The outermost block that may contain posts of the period; among the oldest ones, the first is left out. */
function outermostBlock(spans: readonly Span[], measure: Measure, end: End): Sql {
  const [least, greatest] = measure.limits ?? [-Infinity, Infinity];
  const instant = (value: number) => sql`${measure.literal(Math.min(Math.max(value, least), greatest))}::timestamptz`;
  const from = Math.min(...spans.map((span) => span.from?.value ?? least));
  const to = Math.max(...spans.map((span) => span.to?.value ?? greatest));
  const known = end === "oldest" ? sql`s.block > 0 AND` : sql``;
  return sql`SELECT s.block << ${BLOCK_BITS}::int AS number, s.first, s.last FROM post_spans s
              WHERE ${known} s.last >= ${instant(from)} AND s.first <= ${instant(to)} AND EXISTS (SELECT FROM post_spans WHERE block = 0)
              ORDER BY s.block ${ENDS[end].order} LIMIT 1`;
}
