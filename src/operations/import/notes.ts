/** Imports notes of imported posts. */
import { type Db, sql } from "../../database/client.js";
import { NoteService, refreshNotedAt } from "../../resources/notes/note.service.js";
import { RecordProblem, simpleImporter, timesOf, within, type Work } from "./importer.js";
import { type NoteShape, SHAPES } from "./records.js";
import { isStorable } from "../../lib/text.js";

/** Notes whose posts have not been imported fail, and are retried by the next run. */
export const noteImporter = simpleImporter<NoteShape>("notes", SHAPES.notes, {
  /** Notes are the same if position and text are equal. */
  async find(db, work, note) {
    if (work.dryRun || !isStorable(note.body)) return null;
    const { x, y, width, height, is_active: isActive } = note;
    const where = { postId: await postIdOf(db, work, note), x, y, width, height, isActive, body: bodyOf(note) };
    return (await db.note.findFirst({ where, select: { id: true } }))?.id ?? null;
  },
  async create(db, work, note) {
    const { x, y, width, height } = note;
    const postId = await postIdOf(db, work, note);
    const service = new NoteService({ ...work, transact: within(db) });
    const id = await unlocked(db, postId, async () => {
      const made = await service.create(work.context, { postId, x, y, width, height, body: note.body });
      if (!note.is_active) await service.delete(work.context, made.id);
      return made.id;
    });
    const { created, updated } = timesOf(note);
    await db.execute(sql`UPDATE notes SET created_at = ${created}, updated_at = ${updated} WHERE id = ${id}`);
    await refreshNotedAt(db, postId);
    return { localId: id };
  },
});

/** The body as the board stores it. */
const bodyOf = ({ body }: NoteShape): string => (body.trim() === "" ? "(empty)" : body);

/** @throws RecordProblem */
async function postIdOf(db: Db, work: Work, { post_id: there }: NoteShape): Promise<number> {
  const here = (await work.ledger.postIds(db, [there])).get(there);
  if (here === undefined) throw new RecordProblem(`its post ${there} has not been imported`);
  return here;
}

/** Unlocks a post's notes within the transaction, if they are locked. */
async function unlocked<T>(db: Db, postId: number, work: () => Promise<T>): Promise<T> {
  const unlockedPosts = await db.execute(
    sql`UPDATE posts SET is_note_locked = FALSE WHERE id = ${postId} AND is_note_locked`,
  );
  const result = await work();
  if (unlockedPosts > 0) await db.execute(sql`UPDATE posts SET is_note_locked = TRUE WHERE id = ${postId}`);
  return result;
}
