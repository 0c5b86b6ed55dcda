/** Artist commentaries: artists' texts about their pictures, with translations; one for each post. */
import type { RequestContext } from "../../context.js";
import { type Db, identifier, type Sql, sql } from "../../database/client.js";
import { invalid, validate, requireFound } from "../../errors.js";
import { toSnake } from "../../lib/case.js";
import { mayEdit } from "./artist-commentary.policy.js";
import { requireRight } from "../shared/policy.js";
import * as by from "../../search/filters.js";
import { anyOf } from "../../search/indexed.js";
import { conditionsOf, type Filter, type Page, type SearchOf } from "../../search/listing.js";
import { onPostWith } from "../posts/post.grouping.js";
import { type EditOf, namesOf } from "../shared/columns.js";
import type { PageRequest } from "../shared/paging.js";
import { reading } from "../shared/read-model.js";
import { lockPostRow } from "../posts/post.records.js";
import {
  type ArtistCommentaryRecord,
  artistCommentaryHistory,
  commentaries,
  type CommentaryState,
  type CommentaryTexts,
  texts,
} from "./artist-commentary.records.js";
import { checkText } from "../shared/texts.js";

/** The input; absent texts stay unchanged, null clears. */
export type CommentaryEdit = EditOf<CommentaryTexts>;

const filters = {
  id: by.ids,
  postId: by.ids,
  /** part of one of the texts; with `*` a pattern for a whole text */
  textMatches,
  originalPresent: present(sql`t.original_title`, sql`t.original_description`),
  translatedPresent: present(sql`t.translated_title`, sql`t.translated_description`),
};

/** `postTagsMatch`: tags of the post; no meta-tags */
export type ArtistCommentarySearch = SearchOf<typeof filters> & { postTagsMatch?: string | null };

const LIMITS: Record<keyof CommentaryTexts, number> = {
  originalTitle: 600,
  originalDescription: 55_000,
  translatedTitle: 300,
  translatedDescription: 55_000,
};
const TEXTS = Object.keys(texts) as (keyof CommentaryTexts)[];

const NO_TEXTS = Object.fromEntries(TEXTS.map((text) => [text, ""])) as CommentaryTexts;

export class ArtistCommentaryService extends reading(commentaries) {
  /** @throws BoardError 424 for too many tags or too deep a page */
  async search(search: ArtistCommentarySearch, request: PageRequest): Promise<Page<ArtistCommentaryRecord>> {
    const where = conditionsOf(filters, search);
    const onPost = await onPostWith(this.parts, sql`t.post_id`, search.postTagsMatch, where.length === 0);
    return commentaries.list(this.parts, { where: [...where, ...onPost] }, request);
  }

  /** The commentaries of these posts by post; posts without one are absent. */
  async byPostIds(postIds: readonly number[]): Promise<Map<number, ArtistCommentaryRecord>> {
    const rows = await commentaries.all(this.parts.database, sql`t.post_id = ANY(${[...postIds]}::int[])`);
    return new Map(rows.map((row) => [row.postId, row]));
  }

  /** Writes the commentary of a post, whether it has one already or not. @throws BoardError 403, 420 (post, texts) */
  createOrUpdate(context: RequestContext, postId: number, edit: CommentaryEdit): Promise<ArtistCommentaryRecord> {
    requireRight(context.viewer, mayEdit);
    return this.parts.transact(async (db) => {
      // the post's lock is used for the commentary, which may not exist yet
      if (!(await lockPostRow(db, postId))) throw invalid("post", "does_not_exist");
      const found = await readLocked(db, postId);
      const after = { ...(found?.before ?? { ...NO_TEXTS, postId }), ...givenTexts(edit) };
      check(after);
      const id = found?.id ?? (await artistCommentaryHistory.create(db, context, after));
      if (found) await artistCommentaryHistory.write(db, context, this.parts.config, { ...found, after });
      return commentaries.get(db, id);
    });
  }

  /** Reverts the texts to a version of the post's commentary. @throws BoardError 403, 404 */
  revert(context: RequestContext, postId: number, versionId: number): Promise<ArtistCommentaryRecord> {
    requireRight(context.viewer, mayEdit);
    return this.parts.transact(async (db) => {
      const found = requireFound((await lockPostRow(db, postId)) && (await readLocked(db, postId)));
      const after = { ...(await artistCommentaryHistory.state(db, found.id, versionId)), postId };
      check(after);
      await artistCommentaryHistory.write(db, context, this.parts.config, { ...found, after, isOwnVersion: true });
      return commentaries.get(db, found.id);
    });
  }
}

/** Locks a post's commentary. @returns its id, and its state before an edit */
async function readLocked(db: Db, postId: number): Promise<{ id: number; before: CommentaryState } | null> {
  const found = await db.artistCommentary.findUnique({ where: { postId }, select: { id: true } });
  return found && { id: found.id, before: await artistCommentaryHistory.lock(db, found.id) };
}

/** The texts in the input, trimmed. */
function givenTexts(edit: CommentaryEdit): Partial<CommentaryTexts> {
  const given = TEXTS.filter((text) => edit[text] !== undefined);
  return Object.fromEntries(given.map((text) => [text, (edit[text] ?? "").trim()]));
}

/** @throws BoardError 420 */
const check = (state: CommentaryState): void =>
  validate((problems) => {
    for (const text of TEXTS) checkText(problems, toSnake(text), state[text], { most: LIMITS[text] });
  });

/** A condition for each text, joined by OR, so that each can use its index. */
function textMatches(text: string): Sql | null {
  const conditions = namesOf(texts).flatMap((name) => by.anywhere(text, sql`t.${identifier(name)}`) ?? []);
  return conditions.length > 0 ? anyOf(conditions) : null;
}

/** Whether there is a title or a description. */
function present(title: Sql, description: Sql): Filter<boolean> {
  return (wanted) =>
    wanted ? sql`(${title} <> '' OR ${description} <> '')` : sql`(${title} = '' AND ${description} = '')`;
}
