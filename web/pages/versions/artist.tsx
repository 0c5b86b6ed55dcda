/** The edits of artists. */
import { change } from "../../lib/graphql.js";
import { unmask } from "../../lib/mask.js";
import { searchUrl } from "../../routes.js";
import { words } from "../../titles.js";
import {
  type ArtistVersion_VersionFragment,
  ArtistVersionsDocument,
  RevertArtistDocument,
} from "./__generated__/artist.js";
import { difference } from "./changes.js";
import { historyPage } from "./history.js";

export { ArtistVersionsDocument as document };

export const Page = historyPage({
  name: "artist",
  document: ArtistVersionsDocument,
  list: ({ artistVersions: { nodes, pageInfo } }) => ({
    versions: nodes.map((node) => unmask<ArtistVersion_VersionFragment>(node)),
    next: pageInfo.nextPage,
  }),
  subject: ({ artistId, name, artist }) => ({
    id: artistId,
    name: words(artist?.name ?? name),
    url: searchUrl(artist?.name ?? name),
    mayRevert: artist?.viewerCan.update ?? false,
  }),
  fields: [
    { name: "Name", value: ({ name }) => words(name) },
    { name: "Other names", names: ({ previous, otherNames }) => difference(previous?.otherNames, otherNames) },
    { name: "Group", value: ({ groupName }) => words(groupName) },
    { name: "Addresses", names: ({ previous, urls }) => difference(previous?.urls, urls) },
    { name: "Status", value: ({ isActive }) => (isActive ? "active" : "deleted"), usual: "active" },
    { name: "Ban", value: ({ isBanned }) => (isBanned ? "banned" : "not banned"), usual: "not banned" },
  ],
  revert: ({ artistId: id, id: versionId }) => change(RevertArtistDocument, { id, versionId }),
});
