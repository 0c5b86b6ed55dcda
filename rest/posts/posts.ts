import * as documents from "../__generated__/documents.js";
import { readable, resource } from "../adapter/row.js";
import { asText, described, joined, omitNull, retyped } from "../adapter/views.js";
import type { Property } from "../openapi/schema.js";

const hideFile = omitNull("md5", "file_url", "large_file_url", "preview_file_url", "media_asset");

/** REST sends the ids of the children as one text, or null. */
export const viewPost = described(
  (post) => {
    const children = post.children_ids as number[];
    post.children_ids = children.length > 0 ? children.join(" ") : null;
    return hideFile(post);
  },
  (properties) => retyped(hideFile.describe?.(properties) ?? properties, ["children_ids"], textOrNull),
);

const textOrNull = (list: Property): Property => ({ ...asText(list), type: ["string", "null"] });

const viewVersion = joined("obsolete_added_tags", "obsolete_removed_tags", "unchanged_tags");

export const posts = [
  ...resource("post", { record: documents.PostFieldsFragmentDoc }, [
    { method: "GET", path: "/posts", document: documents.PostsIndexDocument, view: viewPost },
    { method: "GET", path: "/posts/:id", field: "post", view: viewPost },
    { method: "PUT", path: "/posts/:id", field: "updatePost", view: viewPost },
    { method: "PUT", path: "/posts/:id/revert", field: "revertPost", view: viewPost },
    { method: "PUT", path: "/posts/:id/copy_notes", field: "copyNotes", view: viewPost },
  ]),
  ...resource("post_vote", { record: documents.PostVoteFieldsFragmentDoc }, [
    { method: "GET", path: "/post_votes", field: "postVotes" },
    { method: "POST", path: "/posts/:post_id/votes", document: documents.PostVotesCreateDocument },
    { method: "DELETE", path: "/posts/:post_id/votes", document: documents.PostVotesDeleteDocument },
    { method: "PUT", path: "/posts/:post_id/unvote", document: documents.PostVotesDeleteDocument },
  ]),
  ...resource("media_asset", { record: documents.MediaAssetFieldsFragmentDoc }, [
    { method: "GET", path: "/media_assets/:id", field: "mediaFile" },
  ]),
  ...readable("post_version", { record: documents.PostVersionFieldsFragmentDoc, view: viewVersion }),
];
