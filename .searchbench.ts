import { mkdtempSync, chmodSync } from "node:fs";
import pg from "/work/main/node_modules/pg/lib/index.js";
import { openEmbedded } from "/work/main/src/database/embedded.js";
import { migrate } from "/work/main/src/database/migrate.js";
import { PrismaClient, Prisma } from "/work/main/src/database/client.js";
import { PrismaPg } from "/work/main/node_modules/@prisma/adapter-pg/dist/index.mjs";
import { searchPostIds, countPosts } from "/work/main/src/search/posts/search.js";
const dir = mkdtempSync("/tmp/searchbench/data-"); chmodSync("/tmp/searchbench", 0o711); chmodSync(dir, 0o711);
const e = await openEmbedded({ dataDir: dir, settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off", shared_buffers: "512MB", max_wal_size: "4GB" } });
try {
  await migrate(e.url);
  const c = new pg.Client({ connectionString: e.url }); await c.connect();
  const N = 500000;
  await c.query(`INSERT INTO users(id,name,password_hash) VALUES (1,'albert','$2b$04$'||repeat('a',53)),(2,'berta','$2b$04$'||repeat('a',53))`);
  // tag k (1..2000): probability 0.6/k ; tags 3001,3002 exclude each other (10% each)
  await c.query(`SET session_replication_role = replica`);
  console.time("fill");
  await c.query(`INSERT INTO media_files(id,md5,file_ext,file_size,image_width,image_height) SELECT i, md5(i::text), 'jpg', 1+(random()*1e6)::int, 500+(random()*1500)::int, 500+(random()*1500)::int FROM generate_series(1,${N}) i`);
  await c.query(`INSERT INTO posts(id, uploader_id, media_file_id, md5, file_ext, file_size, image_width, image_height, rating, source, tag_ids, tag_count, tag_count_general, up_score, score, created_at)
   SELECT i, CASE WHEN i % 20000 = 0 THEN 2 ELSE 1 END, m.id, m.md5, m.file_ext, m.file_size, m.image_width, m.image_height, (ARRAY['s','q','e'])[1+(i%3)], '', t.ids, cardinality(t.ids), cardinality(t.ids), i%50, i%50, now() - (${N}-i) * interval '5 minutes'
   FROM generate_series(1,${N}) i JOIN media_files m ON m.id = i
   CROSS JOIN LATERAL (SELECT public.uniq(public.sort(array_agg(x))) AS ids FROM (
      SELECT (ceil(power(random(), 3) * 2000))::int AS x FROM generate_series(1, 25 + (i*0))
      UNION ALL SELECT CASE WHEN i % 10 = 0 THEN 3001 WHEN i % 10 = 1 THEN 3002 ELSE 3003 END
      UNION ALL SELECT CASE WHEN i % 100000 = 7 THEN 3004 ELSE 3003 END
      UNION ALL SELECT CASE WHEN i < 20000 THEN 3005 ELSE 3003 END) q) t`);
  await c.query(`INSERT INTO tags(id,name,post_count) SELECT id, 't'||id, count(*) FROM posts, unnest(tag_ids) id GROUP BY id`);
  await c.query("VACUUM ANALYZE");
  console.timeEnd("fill");
  console.log((await c.query("select name, post_count from tags where id in (1,2,3,10,100,500,1000,2000,3001,3002,3003,3004,3005) order by 2 desc")).rows.map((r: any) => `${r.name}=${r.post_count}`).join(" "));
  const db = new PrismaClient({ adapter: new PrismaPg({ connectionString: e.url }) });
  const base = { raw: false, viewer: { id: 1, level: 50 }, limit: 20, defaultLimit: 20, maxLimit: 100, page: { kind: "number", page: 1 } as const, maxTerms: 40 };
  for (const tags of ["", "t1", "t3003", "t3003 t3001", "t1 t2", "t1 t2 t3", "t3001 t3002", "t3004", "t3003 t3004", "t3005", "t3005 t1", "t1000 t3003", "-t3003", "-t3001 t1", "t3003 user:berta", "t3003 order:score", "t3004 order:score", "t1 order:landscape", "t3003 order:landscape", "t1*", "t3* -t1*", "(t1 t2) or (t3004 t3003)", "~t1 ~t2 ~t3 t3001", "order:random", "t3003 rating:s", "user:berta", "rating:s score:>40", "pool:none t1", "fav:albert t1", "t3003 order:mpixels date:2020-01-01", "source:*abc*", "/t t1"]) {
    const t: number[] = []; let n = 0;
    for (let i = 0; i < 4; i++) { const s = performance.now(); n = (await searchPostIds(db, { ...base, tags })).ids.length; t.push(performance.now() - s); }
    const s = performance.now(); const count = await countPosts(db, { ...base, tags }); const ct = performance.now() - s;
    console.log(tags.padEnd(40), n, "best", Math.min(...t).toFixed(1).padStart(7), "ms; count", count, ct.toFixed(1), "ms");
  }
  const p = performance.now(); await searchPostIds(db, { ...base, tags: "t3003 t3001", page: { kind: "number", page: 1000 } }); console.log("page 1000", (performance.now() - p).toFixed(1));
  await db.$disconnect(); await c.end();
} finally { await e.close(); }
