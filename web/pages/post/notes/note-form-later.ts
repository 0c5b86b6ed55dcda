/** The form of a note, loaded when a note is written. */
import { later } from "../../../parts/later.js";

export const NoteForm = later(async () => (await import("./note-form.js")).NoteForm);
