import { mayCall } from "../../src/resources/permissions.js";
import { maySeeFile } from "../../src/resources/posts/post.policy.js";
import * as uploads from "../../src/resources/uploads/upload.policy.js";
import { MOST_EDITED } from "../../src/resources/posts/post-edit.service.js";
import { failure } from "../../src/errors.js";
import { renderPreview } from "../../src/text/rendered.js";
import { CONTENT_TYPES } from "../../src/storage/keys.js";
import { boolean, Costing, float, int, nested, objectType, string, strings } from "../shared/fields.js";
import { query, resolversOf } from "../shared/operations.js";
import { abilities } from "../shared/record-fields.js";

const BoardFacts = objectType("Board", "The board, with the limits that apply to the viewer.", {
  name: string("The board's name."),
  description: string("One-sentence description of the board; empty if there is none."),
  requiresLogin: boolean("Whether the board is only visible to signed-in users."),
  fileTypes: strings("Accepted file extensions."),
  maxUploadBytes: float("Maximum file size in bytes."),
  maxPostsPerPage: int("Maximum number of posts per page."),
  maxPostsPerEdit: int("Maximum number of posts in one edit."),
  maxTagsPerPost: int("Maximum number of tags on a post."),
});

/** Maximum length of a text; no record has a longer one. */
const MAX_TEXT = 80_000;
const RENDERING = 400; // up to 40 milliseconds, as other fields of this cost

const fileTypes = (videos: boolean): string[] =>
  Object.entries(CONTENT_TYPES).flatMap(([extension, type]) =>
    videos || !type.startsWith("video/") ? [extension] : [],
  );

resolversOf(BoardFacts, {
  board: query({
    returns: nested(() => BoardFacts, "The board: its name, its limits and what the viewer may do."),
    beforeLogin: true,
    resolve: ({ board: { config } }) => ({
      name: config.BOARD_NAME,
      description: config.BOARD_DESCRIPTION,
      requiresLogin: config.REQUIRE_LOGIN,
      fileTypes: fileTypes(config.VIDEOS),
      maxUploadBytes: config.MAX_UPLOAD_BYTES,
      maxPostsPerPage: config.MAX_POSTS_PER_PAGE,
      maxPostsPerEdit: MOST_EDITED,
      maxTagsPerPost: config.TAGS_PER_POST,
    }),
  }),

  renderText: query({
    returns: string("Renders a text as sanitized HTML, for previews.", Costing(RENDERING)),
    args: { text: string("The text, in DText.") },
    resolve: (_, { text }) => {
      if (text.length > MAX_TEXT) throw failure("invalid_parameter", { parameter: "text" });
      return renderPreview(text);
    },
  }),

  viewerCan: abilities("the board", {
    upload: [uploads.mayCreate, "Upload."],
    uploadFree: [uploads.isUnlimited, "Upload without waiting for approval."],
    contribute: [mayCall("createComment"), "Edit, comment, vote and add favorites."],
    seeBanned: [(viewer) => maySeeFile(viewer, { isBanned: true }), "See the files of banned posts."],
    lockPosts: [mayCall("lockPost"), "Lock notes and ratings of posts."],
    banUsers: [mayCall("banUser"), "Ban users of a lower level."],
    editMany: [mayCall("updatePosts"), "Edit several posts at once."],
    moderate: [mayCall("deletePost"), "Approve and delete posts."],
  }),
});
