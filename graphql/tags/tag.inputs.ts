import { Field, InputType, Int } from "type-graphql";
import type {
  TagOrder as TagOrderWord,
  TagSearch as TagSearchAttributes,
} from "../../src/resources/tags/tag.service.js";
import { TagCategory, TagOrder } from "../shared/enums.js";
import { AlsoNamed } from "../shared/lists.js";

@InputType({ description: "Which tags to list." })
export class TagSearch implements TagSearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Tags of these numbers." })
  id?: number[] | null;

  @Field(() => String, { nullable: true, description: "Pattern of the name; `*` stands for anything." })
  nameMatches?: string | null;

  @AlsoNamed("name_comma")
  @Field(() => String, { nullable: true, description: "Exact names, separated by commas." })
  name?: string | null;

  @Field(() => [TagCategory], { nullable: true, description: "Tags of these categories." })
  category?: number[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Leave out tags without posts. The default is yes, unless names, a pattern or numbers are given.",
  })
  hideEmpty?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Tags that have (or lack) a wiki page." })
  hasWiki?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Tags that have (or lack) an artist." })
  hasArtist?: boolean | null;

  @Field(() => TagOrder, { nullable: true, description: "The order; newest first by default." })
  order?: TagOrderWord | null;
}
