import { Post } from "../posts/post.type.js";
import { User } from "../users/user.type.js";
import { ArtistCommentaryVersion, ArtistCommentaryVersionSearch } from "./artist-commentary-version.type.js";
import { resolver, list, one, relation } from "../shared/operations.js";
import { anybody } from "../../src/resources/shared/policy.js";

export const ArtistCommentaryVersionResolver = resolver(ArtistCommentaryVersion, {
  artistCommentaryVersions: list({
    of: ArtistCommentaryVersion,
    description: "Lists versions of artists' commentaries, newest first.",
    allow: anybody,
    search: [ArtistCommentaryVersionSearch, "Which versions to list."],
    find: ({ board }, search, page) => board.artistCommentaryVersions.search(search, page),
  }),

  artistCommentaryVersion: one({
    of: ArtistCommentaryVersion,
    description: "One version of an artist's commentary.",
    id: "Number of the version.",
    allow: anybody,
  }),

  post: relation(() => Post, "The post."),

  updater: relation(() => User, "Who made the edit."),
});
