/** Copies the notes of one post to another, such as from one size of a picture to another. */
import type { RequestContext } from "../../context.js";
import { type Db, sql } from "../../database/client.js";
import { failure, invalid, requireFound } from "../../errors.js";
import { notify } from "../../runtime/events/events.js";
import { authorize, requireLevel } from "../shared/policy.js";
import { mayUpdate } from "../posts/post.policy.js";
import type { Limiter } from "../../runtime/limits/limiter.js";
import { noteHistory, type NoteState } from "./note.records.js";
import { refreshNotedAt } from "./note.service.js";
import { lockPost, type PostRecord, readPost } from "../posts/post.records.js";
import type { ServiceParts } from "../shared/service.js";

export interface NoteCopy {
  /** the post that the notes were copied to */
  post: PostRecord;
  /** ids of the new notes, in the order of the originals */
  noteIds: number[];
}

/** The most active notes of a post after a copy: copies back and forth would nearly double them each time. */
const MOST_NOTES = 500;

type Rectangle = Pick<NoteState, "x" | "y" | "width" | "height">;
type Picture = Pick<PostRecord, "imageWidth" | "imageHeight">;

/** Scales a rectangle to a picture of another size, in whole pixels. */
export function scale(note: Rectangle, from: Picture, to: Picture): Rectangle {
  const across = (pixels: number) => Math.floor((pixels * to.imageWidth) / from.imageWidth);
  const down = (pixels: number) => Math.floor((pixels * to.imageHeight) / from.imageHeight);
  return { x: across(note.x), y: down(note.y), width: across(note.width), height: down(note.height) };
}

const fits = (note: Rectangle, picture: Picture): boolean =>
  note.x + note.width <= picture.imageWidth && note.y + note.height <= picture.imageHeight;

export class NoteCopyService {
  constructor(private readonly parts: ServiceParts & { limiter: Limiter }) {}

  /**
   * Copies the active notes of a post to another one, scaled to its size. The viewer is the creator of the new notes.
   * Notes outside of their own picture, whose file was replaced, are left out. Each note except the first, which the caller has counted,
   * counts towards the hourly limit of edits.
   * @throws BoardError 403, 404 (either post), 420 (same post, no notes, too many), 421, 422 (the other post is note-locked)
   */
  async copy(context: RequestContext, postId: number, otherPostId: number): Promise<NoteCopy> {
    const creator = requireLevel(context.viewer);
    const { database, limiter, transact } = this.parts;
    const where = { postId, isActive: true };
    const number = await database.note.count({ where, take: MOST_NOTES });
    await limiter.act("recordEdit", creator, context.address, Math.max(0, number - 1));
    return transact(async (db) => {
      const [from, to] = await lockBoth(db, postId, otherPostId);
      authorize(creator, mayUpdate(creator, to));
      if (from.id === to.id) throw invalid("other_post", "same_post");
      if (to.isNoteLocked) throw failure("note_locked");
      const notes = await db.note.findMany({ where, orderBy: { id: "asc" }, take: MOST_NOTES + 1 });
      if (notes.length === 0) throw invalid("post", "no_notes");
      const { id: creatorId } = creator;
      const copies = notes
        .map(({ body, ...note }) => ({ body, ...scale(note, from, to) }))
        .filter((note) => fits(note, to))
        .map((note) => ({ ...note, postId: to.id, creatorId, creatorIp: context.address }));
      const before = await db.note.count({ where: { ...where, postId: to.id } });
      if (before + copies.length > MOST_NOTES) throw invalid("other_post", "too_many_notes", { limit: MOST_NOTES });
      const noteIds = await create(db, context, copies);
      for (const id of noteIds) await notify(db, { type: "note_changed", id, about: to.id });
      await refreshNotedAt(db, to.id);
      await db.execute(sql`
        UPDATE users SET note_update_count = note_update_count + ${noteIds.length} WHERE id = ${creatorId}`);
      return { post: (await readPost(db, to.id)) as PostRecord, noteIds };
    });
  }
}

/** Both posts, locked in the order of their numbers. @throws BoardError 404 */
async function lockBoth(db: Db, postId: number, otherPostId: number): Promise<[PostRecord, PostRecord]> {
  const lower = requireFound(await lockPost(db, Math.min(postId, otherPostId)));
  const higher = requireFound(await lockPost(db, Math.max(postId, otherPostId)));
  return postId < otherPostId ? [lower, higher] : [higher, lower];
}

type NewNotes = NonNullable<Parameters<Db["note"]["createManyAndReturn"]>[0]>["data"];

/** Creates the notes and their first versions. @returns their ids */
async function create(db: Db, context: RequestContext, copies: NewNotes): Promise<number[]> {
  const notes = await db.note.createManyAndReturn({ data: copies });
  const edits = notes.map((note) => ({ id: note.id, before: null, after: note }));
  await noteHistory.recordAll(db, context, edits);
  return notes.map(({ id }) => id).sort((a, b) => a - b);
}
