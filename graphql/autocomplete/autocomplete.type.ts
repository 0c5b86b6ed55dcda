import { Field, InputType, Int, ObjectType, registerEnumType } from "type-graphql";
import type { AutocompleteType as TypeWord } from "../../src/services/autocomplete.service.js";
import { TagCategory } from "../shared/enums.js";

export const AutocompleteType = { TAG_QUERY: "tag_query", USER: "user" } as const;
registerEnumType(AutocompleteType, {
  name: "AutocompleteType",
  description: "What is being typed.",
  valuesConfig: {
    TAG_QUERY: { description: "A tag." },
    USER: { description: "The name of a user." },
  },
});

@InputType({ description: "What is being typed." })
export class AutocompleteSearch {
  @Field(() => String, { nullable: true, description: "The beginning of a word." })
  query?: string | null;

  @Field(() => String, { nullable: true, description: "The same as `query`." })
  nameMatches?: string | null;

  @Field(() => AutocompleteType, { nullable: true, description: "What is being typed; a tag by default." })
  type?: TypeWord | null;
}

@ObjectType({ description: "Something that a user may be about to type." })
export class Suggestion {
  @Field(() => String, { description: "`tag`, `tag-alias` or `user`." })
  type!: string;

  @Field(() => String, { description: "What to show." })
  label!: string;

  @Field(() => String, { description: "What to put into the field." })
  value!: string;

  @Field(() => TagCategory, { nullable: true, description: "Category of a tag." })
  category!: number | null;

  @Field(() => Int, { nullable: true, description: "Posts of a tag." })
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
