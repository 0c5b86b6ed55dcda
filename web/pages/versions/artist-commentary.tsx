/** The edits of artist commentaries. */
import { change } from "../../lib/graphql.js";
import { unmask } from "../../lib/mask.js";
import { postUrl } from "../../routes.js";
import {
  type ArtistCommentaryVersion_VersionFragment,
  ArtistCommentaryVersionsDocument,
  RevertArtistCommentaryDocument,
} from "./__generated__/artist-commentary.js";
import { historyPage } from "./history.js";

export { ArtistCommentaryVersionsDocument as document };

export const Page = historyPage({
  name: "artist_commentary",
  document: ArtistCommentaryVersionsDocument,
  list: ({ artistCommentaryVersions: { nodes, pageInfo } }) => ({
    versions: nodes.map((node) => unmask<ArtistCommentaryVersion_VersionFragment>(node)),
    next: pageInfo.nextPage,
  }),
  subject: ({ artistCommentaryId, postId, artistCommentary }) => ({
    id: artistCommentaryId,
    name: `Commentary on post ${postId}`,
    url: postUrl(postId),
    mayRevert: artistCommentary?.viewerCan.update ?? false,
  }),
  fields: [
    { name: "Title", value: ({ originalTitle }) => originalTitle },
    { name: "Text", text: ({ originalDescription }) => originalDescription },
    { name: "Translated title", value: ({ translatedTitle }) => translatedTitle },
    { name: "Translated text", text: ({ translatedDescription }) => translatedDescription },
  ],
  revert: ({ postId, id: versionId }) => change(RevertArtistCommentaryDocument, { postId, versionId }),
});
