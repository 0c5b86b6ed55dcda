/** Rights on notes: every member may edit any note, unless the post's notes are locked. */
import { from, open, type Rights } from "../shared/policy.js";

export const LOCK = "Not while the post's notes are locked (422).";

/** Creating, editing, deleting and reverting. */
export const mayEdit = from("member", LOCK);

export const noteRights: Rights = {
  reads: { note: open, notedPosts: open, notes: open, noteVersion: open, noteVersions: open },
  writes: { createNote: mayEdit, deleteNote: mayEdit, revertNote: mayEdit, updateNote: mayEdit },
  subscriptions: { noteChanged: open },
};
