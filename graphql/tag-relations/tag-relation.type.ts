import { Field, Int, InterfaceType, ObjectType } from "type-graphql";
import { Bounded, NAMES } from "../shared/bounded.js";
import { User } from "../users/user.type.js";
import { TagRelationOrder } from "./tag-relation.enums.js";
import { string, boolean, oneOf, ints, nullable, objectType, inputType, optionalInput } from "../shared/fields.js";
import { int } from "../shared/fields.js";

export const TagRelationAbilities = objectType(
  "TagRelationAbilities",
  "What the viewer is allowed to do with an alias or implication.",
  {
    decide: boolean("Approve or reject the request."),
    delete: boolean("Delete it or withdraw the request."),
  },
);
export type TagRelationAbilities = InstanceType<typeof TagRelationAbilities>;

@InterfaceType({ description: "Common fields of tag aliases and implications.", autoRegisterImplementations: true })
export abstract class TagRelation {
  @Field(() => Int, { description: "Its ID." })
  id!: number;

  @Field(() => String, { description: "The antecedent tag." })
  antecedentName!: string;

  @Field(() => String, { description: "The consequent tag, which replaces or accompanies the antecedent." })
  consequentName!: string;

  @Field(() => Int, { description: "The user who requested it." })
  creatorId!: number;

  @Field(() => String, { description: "Name of the user who requested it." })
  creatorName!: string;

  @Field(() => User, { nullable: true, description: "The user who requested it." })
  creator!: User | null;

  @Field(() => Int, { nullable: true, description: "The user who approved it." })
  approverId!: number | null;

  @Field(() => Int, { nullable: true, description: "The forum topic where it is discussed." })
  forumTopicId!: number | null;

  @Field(() => String, { description: "The reason for the request." })
  reason!: string;

  @Field(() => String, {
    description: "`pending`, `queued`, `processing`, `active`, `deleted`, or `error: ` followed by a message.",
  })
  status!: string;

  @Field(() => Date, { description: "When it was requested." })
  createdAt!: Date;

  @Field(() => Date, { description: "When it was last updated." })
  updatedAt!: Date;

  @Field(() => TagRelationAbilities, { description: "What the viewer is allowed to do with it." })
  viewerCan!: TagRelationAbilities;
}

@ObjectType({ implements: TagRelation, description: "A tag alias: the antecedent is replaced by the consequent." })
export class TagAlias extends TagRelation {
  @Field(() => Int, { description: "Number of posts with the consequent." })
  postCount!: number;
}

@ObjectType({
  implements: TagRelation,
  description: "A tag implication: a post with the antecedent also gets the consequent.",
})
export class TagImplication extends TagRelation {
  @Bounded(NAMES)
  @Field(() => [String], { description: "All tags that the antecedent implies, directly or indirectly." })
  descendantNames!: string[];
}

export const TagRelationSearch = optionalInput(
  "TagRelationSearch",
  "Filters for the list of aliases or implications.",
  {
    id: ints("Those with these IDs."),
    nameMatches: string("Pattern of the antecedent or the consequent; `*` matches anything."),
    antecedentName: string("The exact antecedent."),
    consequentName: string("The exact consequent."),
    status: string("The exact status; by default all but deleted ones."),
    order: oneOf(TagRelationOrder, "The sort order; newest first by default."),
  },
);

export const RequestTagRelationInput = inputType("RequestTagRelationInput", "A request for an alias or implication.", {
  antecedentName: string("The antecedent tag."),
  consequentName: string("The consequent tag, which replaces or accompanies the antecedent."),
  reason: nullable(string("The reason.")),
});

export const TagRelationInput = inputType("TagRelationInput", "The alias or implication.", { id: int("Its ID.") });
