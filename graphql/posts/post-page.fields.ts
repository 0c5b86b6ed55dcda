/** What hangs on a page of posts, and on a post in a search: tags of the page, and neighbors. */
import { Arg, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { isRecord, type PostRecord, type PostRef } from "../../src/resources/posts/post.records.js";
import type { PostQuery } from "../../src/resources/posts/post.service.js";
import type { SearchHint as SearchHintOf } from "../../src/search/posts/hints.js";
import type { TagRecord } from "../../src/resources/tags/tag.service.js";
import type { GraphQLContext } from "../context.js";
import { costOf, First, lengthOf, NEIGHBORS, PAGE, PAGE_TAGS, type Priced } from "../shared/bounded.js";
import type { ConnectionOf } from "../shared/connection.js";
import { int, nested, nullable, objectType, string } from "../shared/fields.js";
import { Tag } from "../tags/tag.type.js";
import { Post, PostConnection } from "./post.type.js";
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

/** Cost of the searches behind the posts on one side of a post: of as many posts as are looked through. */
const SEARCHES = 200;
const neighborsCost = (priced: Priced): number => SEARCHES + costOf(NEIGHBORS)(priced);

/** The cost of a list is multiplied by the length of the page that it hangs on, although the page has it once. */
const pageTagsCost = (priced: Priced): number => 1 + Math.ceil(costOf(PAGE_TAGS)(priced) / PAGE.usual);

/** Up to five tags are looked up, and compared with others; the page's length multiplies it, as above. */
const HINTS = 3;

/** How many posts have each tag. @param tagIds of each post */
function countTags(tagIds: Iterable<Iterable<number>>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const ids of tagIds) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** The numbers of a post's tags, from memory if it came without its record; none for a post that is gone. */
async function tagIdsOf(post: PostRef, context: GraphQLContext): Promise<Iterable<number>> {
  if (isRecord(post)) return post.tagIds;
  return recallTagIds(post, context) ?? (await context.loaders.postRecord.load(post.id))?.tagIds ?? [];
}

@Resolver(() => PostConnection)
export class PostPageFields {
  @FieldResolver(() => [SearchHint], {
    description:
      "Hints why the search may find fewer posts than expected: unknown tags and invalid values. At most five.",
    complexity: HINTS,
  })
  hints(
    @Root() { asked }: ConnectionOf<PostRecord> & { asked?: PostQuery },
    @Ctx() context: GraphQLContext,
  ): Promise<SearchHintOf[]> | SearchHintOf[] {
    return asked ? context.board.posts.hints(context, asked) : [];
  }

  @FieldResolver(() => [PageTag], {
    description: "The most frequent tags of the page's posts, most frequent first.",
    complexity: pageTagsCost,
  })
  async tags(
    @Root() { nodes }: ConnectionOf<PostRef>,
    @First(PAGE_TAGS) first: number | null,
    @Ctx() context: GraphQLContext,
  ): Promise<{ tag: TagRecord; pagePostCount: number }[]> {
    const tagIds = await Promise.all(nodes.map((post) => tagIdsOf(post, context)));
    const counts = [...countTags(tagIds)].sort(([, one], [, other]) => other - one);
    const most = counts.slice(0, lengthOf(PAGE_TAGS, first));
    const tags = await context.board.tags.byIds(most.map(([id]) => id));
    return most.flatMap(([id, pagePostCount]) => {
      const tag = tags.get(id);
      return tag ? { tag, pagePostCount } : [];
    });
  }
}

const SEARCH = "The search; all posts if absent.";
const BEYOND =
  "In an order other than by ID, only the first 200 results are considered, except for `ordpool:` with a pool's ID alone.";

@Resolver(() => Post)
export class PostNeighborsFields {
  @FieldResolver(() => [Post], {
    description: `The previous posts in a search, nearest first. ${BEYOND}`,
    complexity: neighborsCost,
  })
  postsBefore(
    @Root() { id }: PostRef,
    @Arg("tags", () => String, { nullable: true, description: SEARCH }) tags: string | null,
    @First(NEIGHBORS) first: number | null,
    @Ctx() context: GraphQLContext,
  ): Promise<PostRef[]> {
    return context.board.posts.neighbors(context, id, tags ?? "", "before", lengthOf(NEIGHBORS, first));
  }

  @FieldResolver(() => [Post], {
    description: `The next posts in a search, nearest first. ${BEYOND}`,
    complexity: neighborsCost,
  })
  postsAfter(
    @Root() { id }: PostRef,
    @Arg("tags", () => String, { nullable: true, description: SEARCH }) tags: string | null,
    @First(NEIGHBORS) first: number | null,
    @Ctx() context: GraphQLContext,
  ): Promise<PostRef[]> {
    return context.board.posts.neighbors(context, id, tags ?? "", "after", lengthOf(NEIGHBORS, first));
  }
}
