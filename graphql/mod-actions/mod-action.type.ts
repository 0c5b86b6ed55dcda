import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { ModActionSearch as SearchAttributes } from "../../src/resources/mod-actions/mod-action.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";

@ObjectType({ description: "Something that the staff did. The log is public and is only ever added to." })
export class ModAction {
  @Field(() => Int, { description: "Number of the entry." })
  id!: number;

  @Field(() => Int, { nullable: true, description: "Who did it; null for the board itself." })
  creatorId!: number | null;

  @Field(() => String, { nullable: true, description: "Name of who did it; null for the board itself." })
  creatorName!: string | null;

  @Field(() => User, { nullable: true, description: "Who did it; null for the board itself." })
  creator!: User | null;

  @Field(() => String, { description: "What was done, as lower-case words: `post_delete`." })
  category!: string;

  @Field(() => String, { description: "What was done, for people to read." })
  description!: string;

  @Field(() => String, { nullable: true, description: "Type of what it was done to, as in this schema: `Post`." })
  subjectType!: string | null;

  @Field(() => Int, { nullable: true, description: "Number of what it was done to, which may be gone by now." })
  subjectId!: number | null;

  @Field(() => Date, { description: "When it was done." })
  createdAt!: Date;

  @Field(() => Date, { description: "The same time: entries never change." })
  updatedAt!: Date;
}

export const ModActionConnection = Connection(ModAction, "ModAction");

@InputType({ description: "Which entries of the moderation log to list." })
export class ModActionSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Entries of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "What these users did." })
  creatorId?: number[] | null;

  @Field(() => String, { nullable: true, description: "What the user of this name did." })
  creatorName?: string | null;

  @Field(() => String, { nullable: true, description: "Entries of this category: `post_delete`." })
  category?: string | null;

  @Field(() => String, { nullable: true, description: "Text somewhere in the description; `*` stands for anything." })
  descriptionMatches?: string | null;

  @Field(() => String, { nullable: true, description: "What was done to things of this type: `Post`." })
  subjectType?: string | null;

  @Field(() => [Int], { nullable: true, description: "What was done to things of these numbers." })
  subjectId?: number[] | null;
}
