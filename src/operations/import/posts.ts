/** Imports posts with their files. */
import { type Db, sql } from "../../database/client.js";
import { BoardError, invalid, ValidationErrors } from "../../errors.js";
import { findByMd5, type PreparedMedia } from "../../resources/uploads/media-ingest.js";
import { createPost } from "../../resources/posts/post.create.js";
import { cleanSource } from "../../resources/posts/post.edit.js";
import { lockFamily } from "../../resources/posts/post.family.js";
import { lockPost } from "../../resources/posts/post.records.js";
import { deletePost, setPostBan } from "../../resources/posts/post.states.js";
import { CONTENT_TYPES } from "../../storage/keys.js";
import { TagCategory, type TagCategoryNumber } from "../../tagging/categories.js";
import { normalizeRating, type Rating } from "../../tagging/rating.js";
import { checkTagName, normalizeTagName } from "../../tagging/tag-name.js";
import {
  type Imported,
  type Importer,
  importOnce,
  type Outcome,
  RecordProblem,
  parseRecord,
  timesOf,
  type Work,
} from "./importer.js";
import { fileOf, type NamedFile } from "./post-file.js";
import type { PostShape } from "./records.js";

const KIND = "posts";

/** A validated post; validation comes before the download. */
interface CheckedPost {
  post: PostShape;
  file: NamedFile;
  rating: Rating;
  source: string;
  names: string[];
  categories: Map<string, TagCategoryNumber>;
}

export const importPost: Importer = async (work, raw) => {
  const post = parseRecord(KIND, raw);
  const file = fileOf(post);
  const here = await findByMd5(work.database, file.md5);
  if (here && here.postId !== null) return existing(work, post.id, here.postId);
  const checked = check(work, post, file);
  return work.dryRun ? "created" : importNew(work, checked);
};

/** Records an existing post with the same file as the imported one, and leaves it unchanged. */
async function existing(work: Work, id: number, localId: number): Promise<Outcome> {
  if (work.dryRun) return "existing";
  return importOnce(work, KIND, id, () => Promise.resolve({ outcome: "existing", localId }));
}

async function importNew(work: Work, checked: CheckedPost): Promise<Outcome> {
  const received = await work.files.fetch(checked.post, checked.file);
  let media: PreparedMedia | null = null;
  try {
    media = await work.ingest.prepare(received, null);
    return await importOnce(work, KIND, checked.post.id, (db) => create(db, work, checked, media as PreparedMedia));
  } catch (error) {
    // the same file has been uploaded in the meantime
    const postId = error instanceof BoardError && error.key === "duplicate" ? error.extra.post_id : undefined;
    if (typeof postId !== "number") throw error;
    return await existing(work, checked.post.id, postId);
  } finally {
    await (media ? work.ingest.discard(media) : received.remove());
  }
}

/** @throws RecordProblem, BoardError 420 */
function check(work: Work, post: PostShape, file: NamedFile): CheckedPost {
  if (file.ext !== "" && !Object.hasOwn(CONTENT_TYPES, file.ext === "jpeg" ? "jpg" : file.ext))
    throw new RecordProblem(`file_ext: ${file.ext} is not a file type of this board`);
  const rating = normalizeRating(post.rating);
  if (rating === null) throw new RecordProblem("rating: is invalid");
  const source = cleanSource(post.source);
  const categories = categoriesOf(post);
  const names = [...new Set([...wordsOf(post.tag_string), ...categories.keys()])];
  const limit = work.config.TAGS_PER_POST;
  if (names.length > limit) throw invalid("tag_string", "too_many_tags", { limit });
  return { post, file, rating, source, categories, names: acceptable(work, post.id, names) };
}

const wordsOf = (text: string): string[] => text.split(/\s+/u).map(normalizeTagName).filter(Boolean);

function categoriesOf(post: PostShape): Map<string, TagCategoryNumber> {
  const lists: [string, TagCategoryNumber][] = [
    [post.tag_string_general, TagCategory.general],
    [post.tag_string_artist, TagCategory.artist],
    [post.tag_string_copyright, TagCategory.copyright],
    [post.tag_string_character, TagCategory.character],
    [post.tag_string_meta, TagCategory.meta],
    ...(post.tags ?? []).map(({ name, category }): [string, TagCategoryNumber] => [name, category]),
  ];
  return new Map(lists.flatMap(([text, category]) => wordsOf(text).map((name) => [name, category] as const)));
}

/** Skips and reports invalid names, instead of refusing the post. */
function acceptable(work: Work, id: number, names: readonly string[]): string[] {
  return names.filter((name) => {
    const problems = new ValidationErrors();
    checkTagName(name, problems, name.slice(0, 50));
    if (problems.any) work.remark(KIND, id, `left out the tag ${problems.toError().reason}`);
    return !problems.any;
  });
}

/** In the transaction: creates the post like an upload, then sets its states and times. */
async function create(db: Db, work: Work, checked: CheckedPost, media: PreparedMedia): Promise<Imported> {
  const { ledger, ingest, context, config } = work;
  const { post, rating, source } = checked;
  const parentId = post.parent_id ?? null;
  const parent = parentId === null ? undefined : (await ledger.postIds(db, [parentId])).get(parentId);
  await lockFamily(db, null, { parentId: parent });
  const categories = await newCategories(db, checked);
  const tags = { names: checked.names, removed: [], categories, locks: {} };
  const file = await ingest.store(db, media);
  const wanted = {
    file,
    tags,
    rating,
    source,
    parentId: parent ?? null,
    isPending: post.is_pending && !post.is_deleted,
  };
  const id = work.keepIds ? await takeId(db, post.id) : undefined;
  const localId = await createPost(db, context, context.viewer, { ...wanted, id }, config);
  await setStates(db, work, localId, post);
  return { outcome: "created", localId, parentId: parent === undefined ? parentId : null };
}

/** The categories of new tags: existing ones keep theirs. */
async function newCategories(db: Db, { names, categories }: CheckedPost): Promise<Map<string, TagCategoryNumber>> {
  const known = await db.tag.findMany({ where: { name: { in: names } }, select: { name: true } });
  const old = new Set(known.map((tag) => tag.name));
  return new Map([...categories].filter(([name]) => !old.has(name)));
}

async function setStates(db: Db, work: Work, localId: number, post: PostShape): Promise<void> {
  const { created, updated } = timesOf(post);
  if (post.is_deleted || post.is_banned) {
    const row = await lockPost(db, localId);
    if (row && post.is_banned) await setPostBan(db, work.context, row, true);
    if (row && post.is_deleted) await deletePost(db, work.context, row, `deleted at ${work.origin}`.slice(0, 500));
  }
  await db.execute(sql`
    UPDATE posts SET created_at = ${created}, updated_at = ${updated},
      is_note_locked = ${post.is_note_locked}, is_rating_locked = ${post.is_rating_locked}, is_status_locked = ${post.is_status_locked}
     WHERE id = ${localId}`);
}

/** The largest id that is kept: new posts are numbered from it on, and have as many ids again. */
const MAX_KEPT_ID = 1_000_000_000;

/** Reserves the post's id at the source, and advances the sequence beyond it. @throws BoardError 420 if it is taken or too large */
async function takeId(db: Db, id: number): Promise<number> {
  if (id > MAX_KEPT_ID) throw invalid("id", "outside_range", { least: 1, most: MAX_KEPT_ID });
  if (await db.post.findUnique({ where: { id }, select: { id: true } })) throw invalid("id", "taken");
  await db.execute(sql`
    SELECT setval('posts_id_seq', ${id}::bigint) FROM posts_id_seq WHERE last_value < ${id} OR NOT is_called`);
  return id;
}
