import { Artist } from "./artist.type.js";
import { nested, objectType } from "../shared/fields.js";

export const CreateArtistPayload = objectType("CreateArtistPayload", "The new artist.", {
artist: nested(() => Artist, "The new artist."),
});

export const UpdateArtistPayload = objectType("UpdateArtistPayload", "The artist after the edit.", {
artist: nested(() => Artist, "The artist after the edit."),
});

export const DeleteArtistPayload = objectType("DeleteArtistPayload", "The artist, now deleted.", {
artist: nested(() => Artist, "The artist, now deleted."),
});

export const UndeleteArtistPayload = objectType("UndeleteArtistPayload", "The artist, back again.", {
artist: nested(() => Artist, "The artist, back again."),
});

export const RevertArtistPayload = objectType("RevertArtistPayload", "The artist after going back.", {
artist: nested(() => Artist, "The artist after going back."),
});

export const BanArtistPayload = objectType("BanArtistPayload", "The artist, now banned.", {
artist: nested(() => Artist, "The artist, now banned."),
});

export const UnbanArtistPayload = objectType("UnbanArtistPayload", "The artist, banned no more.", {
artist: nested(() => Artist, "The artist, banned no more."),
});
