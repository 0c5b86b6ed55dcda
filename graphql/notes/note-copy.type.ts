import { Post } from "../posts/post.type.js";
import { int, nested, objectType, inputType } from "../shared/fields.js";

export const CopyNotesInput = inputType("CopyNotesInput", "From which post to which the notes are copied.", {
  id: int("Number of the post that has the notes."),
  otherPostId: int("Number of the post that they are copied to."),
});
export type CopyNotesInput = InstanceType<typeof CopyNotesInput>;

export const CopyNotesPayload = objectType("CopyNotesPayload", "The copies, and the post that has them now.", {
  post: nested(() => Post, "The post that they were copied to."),
});
