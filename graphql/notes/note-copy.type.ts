import { Post } from "../posts/post.type.js";
import { int, nested, objectType, inputType } from "../shared/fields.js";

export const CopyNotesInput = inputType("CopyNotesInput", "Input of `copyNotes`: the source and target posts.", {
  id: int("ID of the post to copy the notes from."),
  otherPostId: int("ID of the post to copy the notes to."),
});

export const CopyNotesPayload = objectType("CopyNotesPayload", "The new notes and their post.", {
  post: nested(() => Post, "The post that the notes were copied to."),
});
