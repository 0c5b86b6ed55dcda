/** Inserts notes into the database directly, for tests that need many. */
import type { Database } from "../../src/database/client.js";

interface MadeNote {
  postId: number;
  body: string;
  userId: number;
  isActive?: boolean;
  /** 1 by default; all alike */
  versions?: number;
}

/** A small note with its versions. */
export async function pictureNote(database: Database, made: MadeNote): Promise<void> {
  const { postId, body, userId, isActive = true, versions = 1 } = made;
  const state = { postId, body, isActive, x: 1, y: 1, width: 2, height: 2 };
  // as the post itself has it
  if (isActive) await database.post.update({ where: { id: postId }, data: { lastNotedAt: new Date() } });
  const { id: noteId } = await database.note.create({ data: { ...state, creatorId: userId, version: versions } });
  for (let version = 1; version <= versions; version += 1) {
    await database.noteVersion.create({ data: { ...state, noteId, version, updaterId: userId } });
  }
}
