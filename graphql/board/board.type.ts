import { boolean, float, int, objectType, string, strings } from "../shared/fields.js";

export const BoardFacts = objectType("Board", "The board, with the limits that apply to the viewer.", {
  name: string("The board's name."),
  description: string("One-sentence description of the board; empty if there is none."),
  requiresLogin: boolean("Whether the board is only visible to signed-in users."),
  fileTypes: strings("Accepted file extensions."),
  maxUploadBytes: float("Maximum file size in bytes."),
  maxPostsPerPage: int("Maximum number of posts per page."),
  maxPostsPerEdit: int("Maximum number of posts in one edit."),
  maxTagsPerPost: int("Maximum number of tags on a post."),
});
