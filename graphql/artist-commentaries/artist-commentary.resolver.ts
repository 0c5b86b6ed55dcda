import { mayEdit } from "../../src/resources/artist-commentaries/artist-commentary.policy.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import { Post } from "../posts/post.type.js";
import { allNullable, boolean, date, int, ints, nested, nullable, objectType, string } from "../shared/fields.js";
import { list, mutation, query, resolversOf } from "../shared/operations.js";
import { abilities, computed, relation } from "../shared/record-fields.js";
import { versionsOf } from "../shared/versions.js";

const ArtistCommentary = objectType(
  "ArtistCommentary",
  "An artist's commentary on their work, with a translation. Each post has at most one.",
  {
    id: int("ID of the commentary."),
    postId: int("ID of the post."),
    originalTitle: string("The original title; empty if there is none."),
    originalDescription: string("The original description; empty if there is none."),
    translatedTitle: string("The translated title; empty if there is none."),
    translatedDescription: string("The translated description; empty if there is none."),
    createdAt: date("When it was created."),
    updatedAt: date("When it was last updated."),
  },
);

const texts = {
  originalTitle: string("The original title."),
  originalDescription: string("The original description."),
  translatedTitle: string("The translated title."),
  translatedDescription: string("The translated description."),
};

resolversOf(ArtistCommentary, {
  artistCommentaries: list({
    of: ArtistCommentary,
    description: "Lists artists' commentaries, newest first.",
    search: {
      id: ints("Commentaries with these IDs."),
      postId: ints("Commentaries on these posts."),
      textMatches: string(
        "Text contained in one of the four texts, ignoring case; with `*`, a pattern that matches a whole text.",
      ),
      postTagsMatch: string("Commentaries on posts with these tags; no meta-tags."),
      originalPresent: boolean("Only commentaries with (true) or without (false) an original title or description."),
      translatedPresent: boolean("Only commentaries with (true) or without (false) a translated title or description."),
    },
    find: ({ board }, search, page) => board.artistCommentaries.search(search, page),
  }),

  artistCommentary: query({
    returns: nullable(nested(() => ArtistCommentary, "One commentary, by its ID or by the post's ID.")),
    args: { id: nullable(int("ID of the commentary.")), postId: nullable(int("ID of the post.")) },
    resolve: ({ loaders }, { id, postId }) => {
      if (typeof id === "number") return loaders.artistCommentary.load(id);
      return typeof postId === "number" ? loaders.postCommentary.load(postId) : null;
    },
  }),

  createOrUpdateArtistCommentary: mutation({
    description: "Creates or edits the commentary of a post.",
    limited: "recordEdit",
    input: [
      { postId: int("ID of the post."), ...allNullable(texts) },
      "A post's commentary. Absent fields keep their value, or stay empty for a new commentary.",
      "The post and the texts.",
    ],
    payload: [ArtistCommentary, "The commentary after the edit."],
    resolve: (context, { postId, ...edit }) => context.board.artistCommentaries.createOrUpdate(context, postId, edit),
  }),

  revertArtistCommentary: mutation({
    description: "Reverts the commentary of a post to an earlier version.",
    limited: "recordEdit",
    input: [
      {
        postId: int("ID of the post, not of the commentary."),
        versionId: int("ID of the version, which must belong to the post's commentary."),
      },
      "The version to revert to.",
      "The post and the version.",
    ],
    payload: [ArtistCommentary, "The commentary after the revert."],
    resolve: (context, { postId, versionId }) => context.board.artistCommentaries.revert(context, postId, versionId),
  }),

  post: relation(() => Post, "The post."),

  viewerCan: abilities("a commentary", { update: [mayEdit, "Edit and revert the commentary."] }),
});

versionsOf(ArtistCommentary, {
  fields: { postId: int("ID of the post."), ...texts },
  search: { postId: ints("Versions of the commentaries on these posts.") },
  members: { post: relation(() => Post, "The post.") },
});

resolversOf(Post, {
  artistCommentary: computed(
    nullable(nested(() => ArtistCommentary, "The artist's commentary; null if there is none.")),
    (post: PostRecord, { loaders }) => loaders.postCommentary.load(post.id),
  ),
});
