/** A small board with one record of each kind, and copies of them that cost one statement: for tests that need many. */
import { createHash } from "node:crypto";
import type { TestBoard } from "./board.js";
import type { TestPost, TestUser } from "./factory.js";
import { makeForumPost, makeTopic } from "./forum.js";

export type Columns = Record<string, unknown>;

/** The owner of records that are not the viewer's own. */
export type Stage = Awaited<ReturnType<typeof makeStage>>;

let serial = 0;
/** A word that no other call gives. */
export const fresh = (prefix: string): string => `${prefix}_${(serial += 1)}x`;

/** Ids of the copied records, by table. */
async function makeRecords(test: TestBoard, owner: TestUser, bystander: TestUser, post: TestPost) {
  const put = async (path: string, params: Parameters<TestUser["client"]["post"]>[1]): Promise<number> => {
    const { status, text, json } = await owner.client.post(path, params);
    if (status !== 200) throw new Error(`POST ${path}: ${text}`);
    return (json as { id: number }).id;
  };
  const post_id = post.id;
  const topic = await makeTopic(test, owner);
  const records = {
    posts: post_id,
    uploads: post.uploadId,
    notes: await put("/notes.json", { note: { post_id, x: 1, y: 1, width: 9, height: 9, body: "a sail" } }),
    comments: await put("/comments.json", { comment: { post_id, body: "A fine ship." } }),
    pools: await put("/pools.json", { pool: { name: "fleet", description: "Ships.", post_ids: [post_id] } }),
    favorite_groups: await put("/favorite_groups.json", {
      favorite_group: { name: "harbour", post_ids: [post_id], is_public: true },
    }),
    artists: await put("/artists.json", { artist: { name: "a_painter" } }),
    wiki_pages: await put("/wiki_pages.json", { wiki_page: { title: "ship", body: "It swims." } }),
    artist_commentaries: await put("/artist_commentaries/create_or_update.json", {
      artist_commentary: { post_id, original_title: "Fune" },
    }),
    post_flags: await put("/post_flags.json", { post_flag: { post_id, reason: "A boat." } }),
    post_appeals: await put("/post_appeals.json", { post_appeal: { post_id, reason: "A ship." } }),
    dmails: await put("/dmails.json", { dmail: { to_id: bystander.id, title: "Ahoy", body: "A ship!" } }),
    forum_topics: topic.id,
    forum_posts: await makeForumPost(owner, topic.id),
  };
  return { ...records, ...(await makeStaffRecords(test, owner, bystander)) };
}

/** Records that no endpoint creates, or only staff. */
async function makeStaffRecords({ board: { database } }: TestBoard, owner: TestUser, bystander: TestUser) {
  const relation = { antecedentName: "boat", consequentName: "ship", creatorId: owner.id };
  const [alias, implication] = [
    await database.tagAlias.create({ data: relation }),
    await database.tagImplication.create({ data: relation }),
  ];
  const ban = { userId: bystander.id, bannerId: owner.id, reason: "Piracy.", expiresAt: new Date(0) };
  const { id: bans } = await database.ban.create({ data: ban });
  const action = { creatorId: owner.id, category: "user_ban", description: "banned a pirate" };
  const { id: mod_actions } = await database.modAction.create({ data: action });
  const feedback = { userId: bystander.id, creatorId: owner.id, category: "negative", body: "Banned: Piracy." };
  const { id: user_feedbacks } = await database.userFeedback.create({ data: feedback });
  const made = { tag_aliases: alias.id, tag_implications: implication.id, bans, mod_actions, user_feedbacks };
  return { ...made, users: bystander.id };
}

export async function makeStage(test: TestBoard) {
  const owner = await test.make.user("Contributor");
  const bystander = await test.make.user();
  const post = await test.make.post("sea ship", {}, owner);
  const records = await makeRecords(test, owner, bystander, post);
  const { database, pool } = test.board;
  // Copies of posts are in no counter, and their tags leave nevertheless.
  const { tagIds, mediaFileId: media } = await database.post.findUniqueOrThrow({ where: { id: post.id } });
  await database.tag.updateMany({ where: { id: { in: tagIds } }, data: { postCount: 100_000 } });
  await database.post.update({ where: { id: post.id }, data: { isFlagged: false } });

  /** Copies a row, with these columns replaced. @returns the id of the new row */
  async function copy(table: string, id: number, columns: Columns = {}): Promise<number> {
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO ${table} SELECT r.* FROM ${table} AS base, LATERAL jsonb_populate_record(base,
         $1::text::jsonb || jsonb_build_object('id', nextval(pg_get_serial_sequence('${table}', 'id')))) AS r
        WHERE base.id = $2 RETURNING id`,
      [JSON.stringify(columns), id],
    );
    return rows[0]?.id ?? 0;
  }

  /** A copy of the stage's own record of the table. */
  const another = (table: keyof typeof records, columns: Columns = {}): Promise<number> =>
    copy(table, records[table], columns);

  /** A post like the stage's own, without a file on disk. */
  async function anotherPost(columns: Columns = {}): Promise<number> {
    const md5 = createHash("md5").update(fresh("file")).digest("hex");
    return another("posts", { media_file_id: await copy("media_files", media, { md5 }), md5, ...columns });
  }

  /** A copy of the first version of the stage's own record, for another record of the same table. */
  async function version(table: string, owned: Columns): Promise<number> {
    const { rows } = await pool.query<{ id: number }>(`SELECT id FROM ${table} ORDER BY id LIMIT 1`);
    return copy(table, rows[0]?.id ?? 0, owned);
  }

  return { test, owner, bystander, records, another, anotherPost, version };
}
