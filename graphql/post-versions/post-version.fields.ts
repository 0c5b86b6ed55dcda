/** The history of a post. */
import { Post } from "../posts/post.type.js";
import { PostVersion } from "./post-version.type.js";
import { resolver, records } from "../shared/operations.js";

export const PostVersions = resolver(Post, {
  versions: records(() => PostVersion, "postVersions", "Its newest versions, newest first."),
});
