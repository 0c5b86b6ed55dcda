import { int, ints, string } from "../shared/fields.js";
import { Post } from "../posts/post.type.js";
import { relation } from "../shared/operations.js";
import { versionsOf } from "../shared/versions.js";
import { ArtistCommentary } from "./artist-commentary.type.js";

export const ArtistCommentaryVersions = versionsOf(ArtistCommentary, {
  words: ["commentary", "commentaries"],
  fields: {
    postId: int("ID of the post."),
    originalTitle: string("The original title."),
    originalDescription: string("The original description."),
    translatedTitle: string("The translated title."),
    translatedDescription: string("The translated description."),
  },
  search: { postId: ints("Versions of the commentaries on these posts.") },
  members: { post: relation(() => Post, "The post.") },
});
