/** The edits of posts. */
import { change } from "../../lib/graphql.js";
import { isHidden } from "../../lib/hidden.js";
import { unmask } from "../../lib/mask.js";
import { RATING_NAMES } from "../../lib/rating.js";
import { postUrl, searchUrl } from "../../routes.js";
import { type PostVersion_VersionFragment, PostVersionsDocument, RevertPostDocument } from "./__generated__/post.js";
import { difference, type Names } from "./changes.js";
import { historyPage } from "./history.js";

export { PostVersionsDocument as document };

const namesIn = (tagString = ""): string[] => tagString.split(" ").filter(Boolean);

/** From the whole texts: lists of names are limited, and a version may change more than a thousand. */
function tagsOf({ tagString, previous, post }: PostVersion_VersionFragment): Names {
  const { added, removed } = difference(namesIn(previous?.tagString), namesIn(tagString));
  const now = new Set(namesIn(post?.tagString));
  return {
    added,
    removed,
    obsolete: [...added.filter((name) => !now.has(name)), ...removed.filter((name) => now.has(name))],
  };
}

export const Page = historyPage({
  name: "post",
  document: PostVersionsDocument,
  list: ({ postVersions: { nodes, pageInfo } }) => ({
    versions: nodes.map((node) => unmask<PostVersion_VersionFragment>(node)),
    next: pageInfo.nextPage,
  }),
  subject: ({ postId, post }) => ({
    id: postId,
    name: `Post ${postId}`,
    url: postUrl(postId),
    picture: post && !isHidden(post) ? post.thumbnail?.url : undefined,
    rating: post?.rating,
    mayRevert: post?.viewerCan.update ?? false,
  }),
  fields: [
    {
      name: "Tags",
      names: tagsOf,
      url: (name) => searchUrl(String(name)),
    },
    { name: "Rating", value: ({ rating }) => RATING_NAMES[rating] },
    { name: "Source", value: ({ source }) => source },
    { name: "Parent", value: ({ parentId }) => parentId },
  ],
  revert: ({ postId: id, id: versionId }) => change(RevertPostDocument, { id, versionId }),
});
