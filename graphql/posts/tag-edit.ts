/** What an edit of tags would do, for whoever writes it. */
import { Arg, Ctx, Int, Query, Resolver } from "type-graphql";
import type { PlannedTagEdit } from "../../src/resources/posts/post.tag-edit.js";
import type { GraphQLContext } from "../context.js";
import { Gated } from "../shared/access.js";
import { Bounded, TAGS } from "../shared/bounded.js";
import { TagCategory } from "../shared/enums.js";
import { boolean, int, listOf, nested, nullable, objectType, oneOf, string, strings } from "../shared/fields.js";

const TagChange = objectType("TagChange", "A tag that an edit adds or removes.", {
  name: string("The board's name."),
  category: oneOf(TagCategory, "Its category."),
  postCount: int("Number of posts with the tag; 0 for a new one."),
  isDeprecated: boolean("Whether it is deprecated."),
  aliasOf: nullable(string("The alias that was entered.")),
  impliedBy: nullable(string("The tag that implies it.")),
});

const TagEdit = objectType("TagEdit", "Preview of a tag edit.", {
  added: listOf(nested(() => TagChange, "Tags that would be added, by name.", Bounded(TAGS))),
  removed: listOf(nested(() => TagChange, "Tags that would be removed, by name.", Bounded(TAGS))),
  problems: strings("The error that `updatePost` would return; null if the edit is valid.", Bounded(TAGS)),
});

/** Cost of the statements that find out what names stand for. */
const LOOKED_UP = 50;

@Resolver()
export class TagEditResolver {
  @Gated()
  @Query(() => TagEdit, {
    description:
      "Previews what saving these tags would do, including aliases, implications and automatic tags. Changes nothing.",
    complexity: ({ childComplexity }) => LOOKED_UP + childComplexity,
  })
  tagEdit(
    @Arg("tagString", () => String, { description: "The tags, in the format that `updatePost` takes." })
    tagString: string,
    @Arg("oldTagString", () => String, {
      nullable: true,
      description: "The tags before the edit, as the client last read them.",
    })
    oldTagString: string | null,
    @Arg("postId", () => Int, { nullable: true, description: "The post; absent for a new one." })
    postId: number | null,
    @Ctx() { board }: GraphQLContext,
  ): Promise<PlannedTagEdit> {
    return board.tagEdits.plan({ tagString, oldTagString: oldTagString ?? null, postId: postId ?? null });
  }
}
