import { int, ints, string } from "../shared/fields.js";
import { Post } from "../posts/post.type.js";
import { relation } from "../shared/operations.js";
import { versionsOf } from "../shared/versions.js";
import { ArtistCommentary } from "./artist-commentary.type.js";

export const ArtistCommentaryVersions = versionsOf(ArtistCommentary, {
  words: ["commentary", "commentaries"],
  fields: {
    postId: int("Number of the post."),
    originalTitle: string("The title in the artist's words."),
    originalDescription: string("The description in the artist's words."),
    translatedTitle: string("The title in English."),
    translatedDescription: string("The description in English."),
  },
  search: { postId: ints("Versions of the commentaries on these posts.") },
  members: { post: relation(() => Post, "The post.") },
});
