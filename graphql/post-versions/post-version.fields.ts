/** The history of a post. */
import { Post } from "../posts/post.type.js";
import { records, resolver } from "../shared/operations.js";
import { PostVersions } from "./post-version.js";

export const PostVersionFields = resolver(Post, {
  versions: records(() => PostVersions.type, "postVersions", "Its newest versions, newest first."),
});
