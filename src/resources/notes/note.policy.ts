/** Rights on notes: every member may edit any note, unless the post's notes are locked. */
import { from, open, type Rights } from "../shared/policy.js";

export const LOCK = "Not while the post's notes are locked (422).";
const unlocked = from("member", LOCK);

export const mayCreate = unlocked;
export const mayUpdate = unlocked;
export const mayDelete = unlocked;
export const mayRevert = unlocked;

export const noteRights: Rights = {
  reads: { note: open, notedPosts: open, notes: open, noteVersion: open, noteVersions: open },
  writes: { createNote: mayCreate, deleteNote: mayDelete, revertNote: mayRevert, updateNote: mayUpdate },
  subscriptions: { noteChanged: open },
};
