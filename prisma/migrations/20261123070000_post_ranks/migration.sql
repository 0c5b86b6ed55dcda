-- The order of hot posts: three times the score makes up for 35,000 seconds of age. It stays as it is while all posts grow older.
CREATE INDEX CONCURRENTLY "posts_rank_id_idx" ON "posts" ((ln(greatest(score, 1)::float8) / ln(3::float8)
  + extract(epoch FROM created_at - '2005-05-24 00:00:00+00'::timestamptz)::float8 / 35000), "id") WHERE score > 0;
