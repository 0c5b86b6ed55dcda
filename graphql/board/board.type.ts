import { boolean, float, int, objectType, string, strings } from "../shared/fields.js";

export const BoardFacts = objectType("Board", "The board itself, and its limits as the viewer has them.", {
  name: string("Its name."),
  description: string("One sentence about it; empty for none."),
  requiresLogin: boolean("Whether visitors see nothing before they sign in."),
  fileTypes: strings("Extensions of the files that it takes."),
  maxUploadBytes: float("Largest file, in bytes."),
  maxPostsPerPage: int("Most posts a page."),
  maxPostsPerEdit: int("Most posts of one edit."),
  maxTagsPerPost: int("Most tags on a post."),
});
export type BoardFacts = InstanceType<typeof BoardFacts>;
