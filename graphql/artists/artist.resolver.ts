import { revertTo } from "../shared/versions.js";
import { int } from "../shared/fields.js";
import { ArtistUrlSearch } from "./artist-url.type.js";
import { ArtistSearch, CreateArtistInput, UpdateArtistInput } from "./artist.inputs.js";
import { Artist } from "./artist.type.js";
import { resolver, list, one, mutation } from "../shared/operations.js";
import { ArtistUrl } from "./artist-url.type.js";

export const ArtistResolver = resolver(Artist, {
  artists: list({
    of: Artist,
    description: "Lists artists, newest first.",
    search: [ArtistSearch, "Filters for the list of artists."],
    find: ({ board }, search, page) => board.artists.search(search, page),
  }),

  bannedArtists: list({
    of: Artist,
    description: "Lists banned artists, by name unless the filters specify another order.",
    search: [ArtistSearch, "Filters for the list of of the banned artists."],
    find: ({ board }, search, page) => board.artists.searchBanned(search, page),
  }),

  artistUrls: list({
    of: ArtistUrl,
    description: "Lists URLs of artists, newest first.",
    search: [ArtistUrlSearch, "Filters for the list of URLs."],
    find: ({ board }, search, page) => board.artistUrls.search(search, page),
  }),

  artist: one({ of: Artist, description: "One artist.", id: "ID of the artist." }),

  createArtist: mutation({
    description: "Creates an artist.",
    limited: "recordEdit",
    input: [CreateArtistInput, "The artist."],
    payload: [Artist, "The new artist."],
    resolve: (context, input) => context.board.artists.create(context, input),
  }),

  updateArtist: mutation({
    description: "Edits an artist.",
    limited: "recordEdit",
    input: [UpdateArtistInput, "The edit."],
    payload: [Artist, "The artist after the edit."],
    resolve: (context, { id, ...edit }) => context.board.artists.update(context, id, edit),
  }),

  deleteArtist: mutation({
    description: "Deletes an artist and keeps its history.",
    input: [{ id: int("ID of the artist.") }, "The artist to delete.", "The artist."],
    payload: [Artist, "The deleted artist."],
    resolve: (context, { id }) => context.board.artists.delete(context, id),
  }),

  undeleteArtist: mutation({
    description: "Restores a deleted artist.",
    input: [{ id: int("ID of the artist.") }, "The artist to restore.", "The artist."],
    payload: [Artist, "The restored artist."],
    resolve: (context, { id }) => context.board.artists.undelete(context, id),
  }),

  revertArtist: mutation({
    description: "Reverts an artist to an earlier version. Bans are not reverted.",
    limited: "recordEdit",
    input: [revertTo("artist"), "The version to revert to.", "The artist and the version."],
    payload: [Artist, "The artist after the revert."],
    resolve: (context, { id, versionId }) => context.board.artists.revert(context, id, versionId),
  }),

  banArtist: mutation({
    description:
      "Bans an artist: bans all their posts and adds the tag `banned_artist`, which the artist's tag implies from then on.",
    input: [{ id: int("ID of the artist.") }, "The artist to ban.", "The artist."],
    payload: [Artist, "The banned artist."],
    resolve: (context, { id }) => context.board.artists.ban(context, id),
  }),

  unbanArtist: mutation({
    description: "Unbans an artist and their posts.",
    input: [{ id: int("ID of the artist.") }, "The artist to unban.", "The artist."],
    payload: [Artist, "The unbanned artist."],
    resolve: (context, { id }) => context.board.artists.unban(context, id),
  }),
});
