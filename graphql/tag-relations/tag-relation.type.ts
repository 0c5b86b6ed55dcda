import { Field, Int, InterfaceType, ObjectType } from "type-graphql";
import { Bounded, NAMES } from "../shared/bounded.js";
import { User } from "../users/user.type.js";
import { TagRelationOrder } from "./tag-relation.enums.js";
import { string, boolean, oneOf, ints, nullable, allNullable, objectType, inputType } from "../shared/fields.js";
import { idInput } from "../shared/fields.js";

export const TagRelationAbilities = objectType(
  "TagRelationAbilities",
  "What the viewer may do with an alias or implication.",
  {
    decide: boolean("Approve or turn down a request."),
    delete: boolean("Take it out of force, or the request back."),
  },
);
export type TagRelationAbilities = InstanceType<typeof TagRelationAbilities>;

@InterfaceType({ description: "What aliases and implications have in common.", autoRegisterImplementations: true })
export abstract class TagRelation {
  @Field(() => Int, { description: "Its number." })
  id!: number;

  @Field(() => String, { description: "The tag that it is about." })
  antecedentName!: string;

  @Field(() => String, { description: "The tag that takes its place, or comes with it." })
  consequentName!: string;

  @Field(() => Int, { description: "Who asked for it." })
  creatorId!: number;

  @Field(() => String, { description: "Name of who asked for it." })
  creatorName!: string;

  @Field(() => User, { nullable: true, description: "Who asked for it." })
  creator!: User | null;

  @Field(() => Int, { nullable: true, description: "Who approved it." })
  approverId!: number | null;

  @Field(() => Int, { nullable: true, description: "The forum topic where it is discussed." })
  forumTopicId!: number | null;

  @Field(() => String, { description: "Why it was asked for." })
  reason!: string;

  @Field(() => String, {
    description: "`pending`, `queued`, `processing`, `active`, `deleted`, or `error: ` and what went wrong.",
  })
  status!: string;

  @Field(() => Date, { description: "When it was asked for." })
  createdAt!: Date;

  @Field(() => Date, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => TagRelationAbilities, { description: "What the viewer may do with it." })
  viewerCan!: TagRelationAbilities;
}

@ObjectType({ implements: TagRelation, description: "Who says antecedent means consequent." })
export class TagAlias extends TagRelation {
  @Field(() => Int, { description: "Posts of the consequent." })
  postCount!: number;
}

@ObjectType({ implements: TagRelation, description: "A post with antecedent also has consequent." })
export class TagImplication extends TagRelation {
  @Bounded(NAMES)
  @Field(() => [String], { description: "Everything that the antecedent implies, directly or by way of others." })
  descendantNames!: string[];
}

export const TagRelationSearch = inputType(
  "TagRelationSearch",
  "Which aliases or implications to list.",
  allNullable({
    id: ints("Those of these numbers."),
    nameMatches: string("Pattern of the antecedent or the consequent; `*` stands for anything."),
    antecedentName: string("Exactly this antecedent."),
    consequentName: string("Exactly this consequent."),
    status: string("Exactly this status; without it, all but deleted ones."),
    order: oneOf(TagRelationOrder, "The order; newest first by default."),
  }),
);

export const RequestTagRelationInput = inputType("RequestTagRelationInput", "An alias or implication to ask for.", {
  antecedentName: string("The tag that it is about."),
  consequentName: string("The tag that takes its place, or comes with it."),
  reason: nullable(string("Why.")),
});
export type RequestTagRelationInput = InstanceType<typeof RequestTagRelationInput>;

export const TagRelationInput = idInput("TagRelationInput", "Which alias or implication is meant.", "Its number.");
export type TagRelationInput = InstanceType<typeof TagRelationInput>;
