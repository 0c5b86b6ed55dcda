/** The histories of the registry, and those of lists of posts. */
import type { PostListHistory } from "./posts/post.expunge.js";
import { HISTORIES } from "./registry.js";

export { HISTORIES };

/** A version of a record, by the record's name. */
export type Version<Name extends keyof typeof HISTORIES> = NonNullable<
  Awaited<ReturnType<(typeof HISTORIES)[Name]["model"]["byId"]>>
>;

/** Records with `postIds`, such as pools. */
export const POST_LISTS = Object.values(HISTORIES).filter(
  ({ of }) => "postIds" in of.state,
) as unknown as readonly PostListHistory[];
