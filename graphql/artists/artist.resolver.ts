import { ArtistUrlSearch } from "./artist-url.type.js";
import {
  ArtistSearch,
  BanArtistInput,
  CreateArtistInput,
  DeleteArtistInput,
  RevertArtistInput,
  UnbanArtistInput,
  UndeleteArtistInput,
  UpdateArtistInput,
} from "./artist.inputs.js";
import { Artist } from "./artist.type.js";
import { resolver, list, one, mutation } from "../shared/operations.js";
import { ArtistUrl } from "./artist-url.type.js";

export const ArtistResolver = resolver(Artist, {
  artists: list({
    of: Artist,
    description: "Lists artists, newest first.",
    search: [ArtistSearch, "Which artists to list."],
    find: ({ board }, search, page) => board.artists.search(search, page),
  }),

  bannedArtists: list({
    of: Artist,
    description: "Lists banned artists, by name unless the search says otherwise.",
    search: [ArtistSearch, "Which of the banned artists to list."],
    find: ({ board }, search, page) => board.artists.searchBanned(search, page),
  }),

  artistUrls: list({
    of: ArtistUrl,
    description: "Lists URLs of artists, newest first.",
    search: [ArtistUrlSearch, "Which URLs to list."],
    find: ({ board }, search, page) => board.artistUrls.search(search, page),
  }),

  artist: one({ of: Artist, description: "One artist.", id: "Number of the artist." }),

  createArtist: mutation({
    description: "Makes the record of an artist.",
    limited: "recordEdit",
    input: [CreateArtistInput, "The artist."],
    payload: [Artist, "The new artist."],
    resolve: (context, input) => context.board.artists.create(context, input),
  }),

  updateArtist: mutation({
    description: "Edits what is known of an artist.",
    limited: "recordEdit",
    input: [UpdateArtistInput, "The edit."],
    payload: [Artist, "The artist after the edit."],
    resolve: (context, { id, ...edit }) => context.board.artists.update(context, id, edit),
  }),

  deleteArtist: mutation({
    description: "Takes an artist away; the history stays.",
    input: [DeleteArtistInput, "The artist."],
    payload: [Artist, "The artist, now deleted."],
    resolve: (context, { id }) => context.board.artists.delete(context, id),
  }),

  undeleteArtist: mutation({
    description: "Brings a deleted artist back.",
    input: [UndeleteArtistInput, "The artist."],
    payload: [Artist, "The artist, back again."],
    resolve: (context, { id }) => context.board.artists.undelete(context, id),
  }),

  revertArtist: mutation({
    description: "Puts an artist back to an earlier version, apart from a ban.",
    limited: "recordEdit",
    input: [RevertArtistInput, "Artist and version."],
    payload: [Artist, "The artist after going back."],
    resolve: (context, { id, versionId }) => context.board.artists.revert(context, id, versionId),
  }),

  banArtist: mutation({
    description:
      "Bans an artist: all posts are banned and get the tag `banned_artist`, which the artist's tag implies.",
    input: [BanArtistInput, "The artist."],
    payload: [Artist, "The artist, now banned."],
    resolve: (context, { id }) => context.board.artists.ban(context, id),
  }),

  unbanArtist: mutation({
    description: "Takes the ban of an artist back, from the posts too.",
    input: [UnbanArtistInput, "The artist."],
    payload: [Artist, "The artist, banned no more."],
    resolve: (context, { id }) => context.board.artists.unban(context, id),
  }),
});
