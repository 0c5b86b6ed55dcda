import { mayUpdate } from "../../src/resources/artist-commentaries/artist-commentary.policy.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import { Post } from "../posts/post.type.js";
import {
  ArtistCommentary,
  ArtistCommentarySearch,
  CreateOrUpdateArtistCommentaryInput,
  RevertArtistCommentaryInput,
} from "./artist-commentary.type.js";
import { resolver, list, mutation, relation, abilities, computed, query } from "../shared/operations.js";
import { int, nested, nullable } from "../shared/fields.js";

export const ArtistCommentaryResolver = resolver(ArtistCommentary, {
  artistCommentaries: list({
    of: ArtistCommentary,
    description: "Lists artists' commentaries, newest first.",
    search: [ArtistCommentarySearch, "Filters for the list of commentaries."],
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
    input: [CreateOrUpdateArtistCommentaryInput, "The post and the texts."],
    payload: [ArtistCommentary, "The commentary after the edit."],
    resolve: (context, { postId, ...edit }) => context.board.artistCommentaries.createOrUpdate(context, postId, edit),
  }),

  revertArtistCommentary: mutation({
    description: "Reverts the commentary of a post to an earlier version.",
    limited: "recordEdit",
    input: [RevertArtistCommentaryInput, "The post and the version."],
    payload: [ArtistCommentary, "The commentary after the revert."],
    resolve: (context, { postId, versionId }) => context.board.artistCommentaries.revert(context, postId, versionId),
  }),

  post: relation(() => Post, "The post."),

  viewerCan: abilities("a commentary", {
    update: [mayUpdate, "Edit and revert the commentary."],
  }),
});

export const PostArtistCommentary = resolver(Post, {
  artistCommentary: computed(
    nullable(nested(() => ArtistCommentary, "The artist's commentary; null if there is none.")),
    (post: PostRecord, { loaders }) => loaders.postCommentary.load(post.id),
  ),
});
