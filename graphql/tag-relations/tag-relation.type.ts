import { Field, InputType, Int, InterfaceType, ObjectType } from "type-graphql";
import { Bounded, NAMES } from "../shared/bounded.js";
import type {
  NewTagRelation,
  TagRelationOrder as OrderWord,
  TagRelationSearch as SearchAttributes,
} from "../../src/resources/tag-relations/tag-relation.service.js";
import { Connection } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { TagRelationOrder } from "./tag-relation.enums.js";

@ObjectType({ description: "What the viewer may do with an alias or implication." })
export class TagRelationAbilities {
  @Field(() => Boolean, { description: "Approve or turn down a request." })
  decide!: boolean;

  @Field(() => Boolean, { description: "Take it out of force, or the request back." })
  delete!: boolean;
}

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

export const TagAliasConnection = Connection(TagAlias, "TagAlias");
export const TagImplicationConnection = Connection(TagImplication, "TagImplication");

@InputType({ description: "Which aliases or implications to list." })
export class TagRelationSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Those of these numbers." })
  id?: number[] | null;

  @Field(() => String, {
    nullable: true,
    description: "Pattern of the antecedent or the consequent; `*` stands for anything.",
  })
  nameMatches?: string | null;

  @Field(() => String, { nullable: true, description: "Exactly this antecedent." })
  antecedentName?: string | null;

  @Field(() => String, { nullable: true, description: "Exactly this consequent." })
  consequentName?: string | null;

  @Field(() => String, { nullable: true, description: "Exactly this status; without it, all but deleted ones." })
  status?: string | null;

  @Field(() => TagRelationOrder, { nullable: true, description: "The order; newest first by default." })
  order?: OrderWord | null;
}

@InputType({ description: "An alias or implication to ask for." })
export class RequestTagRelationInput implements NewTagRelation {
  @Field(() => String, { description: "The tag that it is about." })
  antecedentName!: string;

  @Field(() => String, { description: "The tag that takes its place, or comes with it." })
  consequentName!: string;

  @Field(() => String, { nullable: true, description: "Why." })
  reason?: string | null;
}

@InputType({ description: "Which alias or implication is meant." })
export class TagRelationInput {
  @Field(() => Int, { description: "Its number." })
  id!: number;
}

@ObjectType({ description: "The alias after the change." })
export class TagAliasPayload {
  @Field(() => TagAlias, { description: "The alias after the change." })
  tagAlias!: TagAlias;
}

@ObjectType({ description: "The implication after the change." })
export class TagImplicationPayload {
  @Field(() => TagImplication, { description: "The implication after the change." })
  tagImplication!: TagImplication;
}
