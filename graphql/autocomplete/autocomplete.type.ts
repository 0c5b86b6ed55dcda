import { Field, InputType, Int, ObjectType, registerEnumType } from "type-graphql";
import type { AutocompleteType as TypeWord } from "../../src/resources/autocomplete/autocomplete.service.js";
import { TagCategory } from "../shared/enums.js";

export const AutocompleteType = { TAG_QUERY: "tag_query", TAG: "tag", USER: "user" } as const;
registerEnumType(AutocompleteType, {
  name: "AutocompleteType",
  description: "What is being typed.",
  valuesConfig: {
    TAG_QUERY: { description: "A word of a search: a tag, a meta-tag or its value." },
    TAG: { description: "A tag." },
    USER: { description: "The name of a user." },
  },
});

@InputType({ description: "What is being typed." })
export class AutocompleteSearch {
  @Field(() => String, { nullable: true, description: "The beginning of a word." })
  query?: string | null;

  @Field(() => String, { nullable: true, description: "The beginning of a tag, where `query` is not given." })
  nameMatches?: string | null;

  @Field(() => AutocompleteType, { nullable: true, description: "What is being typed; a word of a search by default." })
  type?: TypeWord | null;
}

@ObjectType({ description: "Something that a user may be about to type." })
export class Suggestion {
  @Field(() => String, { description: "`tag`, `tag-alias`, `metatag`, `user` or `pool`." })
  type!: string;

  @Field(() => String, { description: "What to show." })
  label!: string;

  @Field(() => String, { description: "What to put into the field." })
  value!: string;

  @Field(() => TagCategory, { nullable: true, description: "Category of a tag." })
  category!: number | null;

  @Field(() => Int, { nullable: true, description: "Posts of a tag or pool." })
  postCount!: number | null;

  @Field(() => String, {
    nullable: true,
    description: "The alias that begins like this, when the value is what it stands for.",
  })
  antecedent!: string | null;
}

@ObjectType({ description: "Suggestions, the likeliest first." })
export class Suggestions {
  @Field(() => [Suggestion], { description: "The suggestions." })
  nodes!: Suggestion[];
}
