/** Fields of a page of posts, and of a post in a search: tags of the page, and neighbours. */
import { mostFrequent } from "../../src/lib/most-frequent.js";
import { isRecord, type PostRef } from "../../src/resources/posts/post.records.js";
import { poolIn } from "../../src/resources/posts/post.neighbors.js";
import type { PostQuery } from "../../src/resources/posts/post.service.js";
import type { GraphQLContext } from "../context.js";
import { NEIGHBORS, PAGE, PAGE_TAGS } from "../shared/bounded.js";
import type { ConnectionOf } from "../shared/connection.js";
import { Costing, int, listOf, nested, nullable, objectType, string } from "../shared/fields.js";
import { resolversOf } from "../shared/operations.js";
import { computed, computedList } from "../shared/record-fields.js";
import { Tag } from "../tags/tag.type.js";
import { Post, PostConnection } from "./post.type.js";
import { Pool } from "../pools/pool.resolver.js";
import { recallTagIds } from "./remembered.js";

const PageTag = objectType("PageTag", "A tag with its count on a page of posts.", {
  tag: nested(() => Tag, "The tag."),
  pagePostCount: int("Number of posts of the page that have the tag."),
});

const SearchHint = objectType("SearchHint", "A hint about a search term that may be a mistake.", {
  term: string("The search term; empty for the search as a whole."),
  message: string("What is wrong with it."),
  suggestion: nullable(string("Suggested replacement.")),
});

/** The cost of a list is multiplied by the length of the page, although the page has it once. */
const perPage = (cost: number): number => 1 + Math.ceil(cost / PAGE.usual);

/** Up to five tags are looked up, and compared with others; multiplied by the page's length, as above. */
const HINTS = 3;

/** The ids of the post's tags, from memory if it came without its record; none for a removed post. */
function tagIdsOf(post: PostRef, context: GraphQLContext): ArrayLike<number> | Promise<ArrayLike<number>> {
  if (isRecord(post)) return post.tagIds;
  return recallTagIds(post, context) ?? context.loaders.postRecord.load(post.id).then((record) => record?.tagIds ?? []);
}

export interface PostPage extends ConnectionOf<PostRef> {
  /** the search; absent for other lists of posts */
  asked?: PostQuery;
  /** of the statement that read the page */
  snapshot?: string | null;
}

resolversOf(PostConnection, {
  hints: computed(
    listOf(
      nested(
        () => SearchHint,
        "Hints why the search may find fewer posts than expected: unknown tags and invalid values. At most five.",
        Costing(HINTS),
      ),
    ),
    ({ asked }: PostPage, context) => (asked ? context.board.posts.hints(context, asked) : []),
  ),

  pool: computed(
    nullable(
      nested(
        () => Pool,
        "The pool whose posts the search lists, if it is `ordpool:` with a pool's ID alone.",
        Costing(({ childComplexity }) => perPage(childComplexity)),
      ),
    ),
    ({ asked }: PostPage, { loaders }) => {
      const id = poolIn(asked?.tags ?? "");
      return id === null ? null : loaders.pool.load(id);
    },
  ),

  tags: computedList(
    () => PageTag,
    PAGE_TAGS,
    "The most frequent tags of the page's posts, most frequent first.",
    async ({ nodes, snapshot }: PostPage, context, length) => {
      const tagIds = await Promise.all(nodes.map(async (post) => tagIdsOf(post, context)));
      const most = mostFrequent(tagIds, length);
      const tags = await context.board.tags.asOf(
        snapshot ?? null,
        most.map(([id]) => id),
      );
      const counts = new Map(most);
      return tags.map((tag) => ({ tag, pagePostCount: counts.get(tag.id) ?? 0 }));
    },
    { cost: perPage },
  ),
});

const BEYOND =
  "In an order other than by ID, only the first 200 results are considered, except for `ordpool:` with a pool's ID alone.";

/** Cost of the searches for the posts on one side of a post: as many posts as are read. */
const SEARCHES = 200;

const neighbors = (side: "before" | "after", description: string) =>
  computedList(
    () => Post,
    NEIGHBORS,
    `${description} ${BEYOND}`,
    ({ id }: PostRef, context, length, { tags }) =>
      context.board.posts.neighbors(context, id, tags ?? "", side, length),
    { args: { tags: nullable(string("The search; all posts if absent.")) }, cost: (ofPosts) => SEARCHES + ofPosts },
  );

resolversOf(Post, {
  postsBefore: neighbors("before", "The previous posts in a search, nearest first."),
  postsAfter: neighbors("after", "The next posts in a search, nearest first."),
});
