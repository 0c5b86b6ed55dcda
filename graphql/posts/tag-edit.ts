/** What an edit of tags would do, for whoever writes it. */
import { Arg, Ctx, Int, Query, Resolver } from "type-graphql";
import type { PlannedTagEdit } from "../../src/resources/posts/post.tag-edit.js";
import type { GraphQLContext } from "../context.js";
import { Gated } from "../shared/access.js";
import { Bounded, TAGS } from "../shared/bounded.js";
import { TagCategory } from "../shared/enums.js";
import { boolean, int, listOf, nested, nullable, objectType, oneOf, string, strings } from "../shared/fields.js";

const TagChange = objectType("TagChange", "A tag that an edit adds or removes.", {
  name: string("Its name."),
  category: oneOf(TagCategory, "Its category."),
  postCount: int("On how many posts it is; 0 for a new one."),
  isDeprecated: boolean("Whether it should not be used any more."),
  aliasOf: nullable(string("The alias of it that was written.")),
  impliedBy: nullable(string("The tag that brings it along.")),
});

const TagEdit = objectType("TagEdit", "What an edit of tags would do.", {
  added: listOf(nested(() => TagChange, "Tags that would be added, by name.", Bounded(TAGS))),
  removed: listOf(nested(() => TagChange, "Tags that would be removed, by name.", Bounded(TAGS))),
  problems: strings("Why it would be refused, as `updatePost` says it.", Bounded(TAGS)),
});

/** Cost of the statements that find out what names stand for. */
const LOOKED_UP = 50;

@Resolver()
export class TagEditResolver {
  @Gated()
  @Query(() => TagEdit, {
    description: "What saving these tags would do: aliases, implications and automatic tags included. Changes nothing.",
    complexity: ({ childComplexity }) => LOOKED_UP + childComplexity,
  })
  tagEdit(
    @Arg("tagString", () => String, { description: "The tags, as `updatePost` takes them." }) tagString: string,
    @Arg("oldTagString", () => String, { nullable: true, description: "The tags that you saw before the edit." })
    oldTagString: string | null,
    @Arg("postId", () => Int, { nullable: true, description: "The post; none for one that is yet to be made." })
    postId: number | null,
    @Ctx() { board }: GraphQLContext,
  ): Promise<PlannedTagEdit> {
    return board.tagEdits.plan({ tagString, oldTagString: oldTagString ?? null, postId: postId ?? null });
  }
}
