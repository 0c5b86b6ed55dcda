/** Related tags on a board where one tag has thousands of posts, which are sampled by hash without sorting them all. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";

const POSTS = 50_000;

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
  const client = new pg.Client({ connectionString: test.board.databaseUrl });
  await client.connect();
  await client.query("SET session_replication_role = replica");
  await client.query(
    `INSERT INTO tags (id, name, category, post_count)
     SELECT n, 'tag_' || n, (n % 2) * 4, ${POSTS} / n FROM generate_series(1, 400) n`,
  );
  await client.query(
    `INSERT INTO posts (id, uploader_id, media_file_id, md5, file_ext, file_size, image_width, image_height, rating,
                        tag_ids, tag_count, tag_count_general)
     SELECT n, 1, n, md5(n::text), 'png', 1, 1, 1, 's', tag_ids, cardinality(tag_ids), cardinality(tag_ids)
       FROM generate_series(1, ${POSTS}) n,
            LATERAL (SELECT array_agg(t ORDER BY t) AS tag_ids FROM generate_series(1, 400) t WHERE n % t = 0) has`,
  );
  await client.query("VACUUM ANALYZE posts");
  await client.end();
});
afterAll(() => test[Symbol.asyncDispose]());

/** Names of the related tags, and how many posts the search finds. */
async function related(query: string, category?: number) {
  const { json } = await test.anonymous.get("/related_tag.json", { query, category });
  return { tags: json.tags as [string, number][], posts: json.post_count as number };
}

describe("GET /related_tag.json for a tag with thousands of posts", () => {
  it("returns the same for an equivalent search", async () => {
    const quick = await related("tag_20");
    expect(quick.tags).toHaveLength(25);
    // all posts of tag_20 have the tags 1, 2, 4, 5, 10 and 20, the rarest of which comes first
    expect(quick.tags.slice(0, 6).map(([name]) => name)).toEqual([
      "tag_20",
      "tag_10",
      "tag_5",
      "tag_4",
      "tag_2",
      "tag_1",
    ]);
    expect(quick.tags).toEqual((await related("tag_20 id:>0")).tags);
    expect(quick.posts).toBe(POSTS / 20);
  });

  it("of one category only", async () => {
    const { tags } = await related("tag_20", 4);
    expect(tags.slice(0, 2)).toEqual([
      ["tag_5", 4],
      ["tag_1", 4],
    ]);
    expect(tags.every(([, category]) => category === 4)).toBe(true);
  });
});
