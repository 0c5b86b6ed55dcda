import { Field, Int, ObjectType } from "type-graphql";
import { Connection } from "../shared/connection.js";
import { TagCategory } from "../shared/enums.js";

@ObjectType({ description: "A word that posts are described with." })
export class Tag {
  @Field(() => Int, { description: "Number of the tag." })
  id!: number;

  @Field(() => String, { description: "The word: lower case, underscores for blanks." })
  name!: string;

  @Field(() => TagCategory, { description: "What kind of thing the tag names." })
  category!: number;

  @Field(() => Int, { description: "On how many posts the tag is, deleted ones included." })
  postCount!: number;

  @Field(() => Boolean, { description: "Whether the category is locked." })
  isLocked!: boolean;

  @Field(() => Boolean, { description: "Whether the tag should not be used any more." })
  isDeprecated!: boolean;

  @Field(() => Date, { description: "When the tag was first used." })
  createdAt!: Date;

  @Field(() => Date, { description: "When the tag was last changed." })
  updatedAt!: Date;
}

export const TagConnection = Connection(Tag, "Tag");
