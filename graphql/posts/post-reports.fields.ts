/** The flags and appeals of a post. */
import { PostAppeal } from "../post-appeals/post-appeal.type.js";
import { PostFlag } from "../post-flags/post-flag.type.js";
import { Post } from "./post.type.js";
import { resolver, records } from "../shared/operations.js";

export const PostReports = resolver(Post, {
  flags: records(() => PostFlag, "postFlags", "The flags, newest first, including those of its deletions."),

  appeals: records(() => PostAppeal, "postAppeals", "The appeals, newest first."),
});
