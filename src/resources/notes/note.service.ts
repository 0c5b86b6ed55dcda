/** Notes: translations and remarks in rectangles on a picture. */
import type { RequestContext } from "../../context.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { failure, invalid, ValidationErrors, requireFound } from "../../errors.js";
import { notifying } from "../../runtime/events/events.js";
import { mayEdit } from "./note.policy.js";
import { isBlank } from "../../lib/text.js";
import { type EditOf, given } from "../shared/columns.js";
import { requireRight } from "../shared/policy.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Page, type SearchOf } from "../../search/listing.js";
import type { PageRequest } from "../shared/paging.js";
import { reading } from "../shared/read-model.js";
import { listGroupedPosts, onPostWith } from "../posts/post.grouping.js";
import { lockPostRow, type LockedPost, type PostRef } from "../posts/post.records.js";
import type { Change } from "../shared/history.js";
import { noteHistory, type NoteRecord, notes, type NoteState } from "./note.records.js";
import { checkText } from "../shared/texts.js";

const filters = {
  id: by.ids,
  postId: by.ids,
  ...by.user("creator"),
  bodyMatches: by.on(sql`t.body`, by.words),
  isActive: by.flag,
};

/** `postTagsMatch`: tags of the post; no meta-tags */
export type NoteSearch = SearchOf<typeof filters> & { postTagsMatch?: string | null };

export type NewNote = Omit<NoteState, "isActive">;

/** An edit; absent fields stay unchanged. */
export type NoteEdit = EditOf<Omit<NewNote, "postId">>;

const BODY = { most: 5_000 };

export class NoteService extends reading(notes) {
  /** @throws BoardError 424 for too many tags or too deep a page */
  async search(search: NoteSearch, request: PageRequest): Promise<Page<NoteRecord>> {
    return notes.list(this.parts, { where: await this.conditions(search) }, request);
  }

  /**
   * The posts with notes found by the search, those with the latest change of a note first.
   * @param tags tags of the posts; no meta-tags
   * @throws BoardError 424 for too many tags or too deep a page
   */
  async searchPosts(search: NoteSearch, tags: string | null, request: PageRequest): Promise<Page<PostRef>> {
    const { postTagsMatch, ...rest } = search;
    const where = await this.conditions(rest);
    return listGroupedPosts(this.parts, { of: "notes", where, tags: [tags, postTagsMatch] }, request);
  }

  private async conditions(search: NoteSearch): Promise<Sql[]> {
    const where = conditionsOf(filters, search);
    return [...where, ...(await onPostWith(this.parts, sql`t.post_id`, search.postTagsMatch, where.length === 0))];
  }

  /** The newest notes of each post that are not deleted, newest first. @param limit maximum number for one post */
  newestOfPosts(postIds: readonly number[], limit: number): Promise<NoteRecord[]> {
    const db = this.parts.database.byKeys(postIds.length * limit);
    return notes.newestOfEach(db, sql`t.post_id`, postIds, limit, sql`t.is_active`);
  }

  /** @throws BoardError 403, 420 (post, geometry, body), 422 (note-locked post) */
  create(context: RequestContext, input: NewNote): Promise<NoteRecord> {
    const creator = requireRight(context.viewer, mayEdit);
    return this.parts.transact(async (db) => {
      const post = await lockPostRow(db, input.postId);
      if (!post) throw invalid("post", "does_not_exist");
      const state: NoteState = { ...input, body: bodyOrPlaceholder(input.body), isActive: true };
      check(null, state, post);
      const id = await noteHistory.create(db, context, state, { creatorId: creator.id, creatorIp: context.address });
      await noteChanged(db, context, id, post.id);
      return notes.get(db, id);
    });
  }

  /** @throws BoardError 403, 404, 420 (geometry, body), 422 (note-locked post) */
  update(context: RequestContext, id: number, edit: NoteEdit): Promise<NoteRecord> {
    const { body } = edit;
    const changes = given(typeof body === "string" ? { ...edit, body: bodyOrPlaceholder(body) } : edit);
    return this.change(context, id, { allows: mayEdit, next: () => changes });
  }

  /** Deletes a note; its history stays. @throws BoardError 403, 404, 422 (note-locked post) */
  delete(context: RequestContext, id: number): Promise<NoteRecord> {
    return this.change(context, id, { allows: mayEdit, next: () => ({ isActive: false }) });
  }

  /** Reverts a note to a version. @throws BoardError 403, 404, 422 (note-locked post) */
  revert(context: RequestContext, id: number, versionId: number): Promise<NoteRecord> {
    const next = async ({ postId }: NoteState, db: Db) => ({ ...(await noteHistory.state(db, id, versionId)), postId });
    return this.change(context, id, { allows: mayEdit, next, isOwnVersion: true });
  }

  private change(context: RequestContext, id: number, change: Change<NoteState>): Promise<NoteRecord> {
    requireRight(context.viewer, change.allows);
    return this.parts.transact(async (db) => {
      const found = await db.note.findUnique({ where: { id }, select: { postId: true } });
      const post = requireFound(found && (await lockPostRow(db, found.postId)));
      const before = await noteHistory.lock(db, id);
      const after = { ...before, ...(await change.next(before, db, id)) };
      check(before, after, post);
      const edit = { id, before, after, isOwnVersion: change.isOwnVersion };
      if (await noteHistory.write(db, context, this.parts.config, edit)) await noteChanged(db, context, id, post.id);
      return notes.get(db, id);
    });
  }
}

const SIDES = ["x", "y", "width", "height"] as const;

/** A text as it is stored: a blank one would be a note that says nothing. */
export const bodyOrPlaceholder = (body: string): string => (isBlank(body) ? "(empty)" : body);

/**
 * A rectangle, unless it is unchanged, lies within the original picture; zero size is allowed.
 * @throws BoardError 420, 422 when the post's notes are locked
 */
function check(before: NoteState | null, after: NoteState, post: LockedPost): void {
  if (post.isNoteLocked) throw failure("note_locked");
  const problems = new ValidationErrors();
  if (SIDES.some((side) => after[side] !== before?.[side])) checkRectangle(problems, after, post);
  checkText(problems, "body", after.body, BODY);
  problems.throwIfAny();
}

function checkRectangle(problems: ValidationErrors, note: NoteState, post: LockedPost): void {
  for (const side of SIDES) {
    const most = side === "x" || side === "width" ? post.imageWidth : post.imageHeight;
    if (note[side] < 0) problems.add(side, "outside_range", { least: 0, most });
  }
  if (note.x + note.width > post.imageWidth) problems.add("note", "outside_image");
  else if (note.y + note.height > post.imageHeight) problems.add("note", "outside_image");
}

/** A statement that sets `last_noted_at` to the last change of an active note of the post; null without active notes. */
const refreshingNotedAt = (postId: number): Sql => sql`
  UPDATE posts SET last_noted_at =
    (SELECT max(updated_at) FROM notes WHERE post_id = ${postId} AND is_active) WHERE id = ${postId}`;

/** Updates the columns of post and user derived from a note that was written, and notifies subscribers. */
const noteChanged = (db: Db, { viewer }: RequestContext, id: number, postId: number): Promise<object[]> =>
  db.query(sql`
    WITH post AS (${refreshingNotedAt(postId)}), editor AS (
      UPDATE users SET note_update_count = note_update_count + 1 WHERE id = ${viewer.id})
    SELECT ${notifying(db, { type: "note_changed", id, about: postId })} AS notified`);

export const refreshNotedAt = (db: Db, postId: number): Promise<number> => db.execute(refreshingNotedAt(postId));
