import { Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import { maySeeTopic } from "../../src/resources/forum/forum.policy.js";
import { mayDecide, mayDelete } from "../../src/resources/tag-relations/tag-relation.policy.js";
import type { TagRelationRecord } from "../../src/resources/tag-relations/tag-relation.records.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { User } from "../users/user.type.js";
import { TagRelation, TagRelationAbilities } from "./tag-relation.type.js";

@Resolver(() => TagRelation)
export class TagRelationFields {
  @FieldResolver(() => User, { nullable: true })
  creator(@Root() relation: TagRelationRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(relation.creatorId);
  }

  @FieldResolver(() => Int, { nullable: true })
  forumTopicId(@Root() relation: TagRelationRecord, @Ctx() { viewer }: GraphQLContext): number | null {
    const minLevel = relation.forumTopicMinLevel ?? 0;
    return maySeeTopic(viewer, { minLevel }) ? relation.forumTopicId : null;
  }

  @FieldResolver(() => TagRelationAbilities)
  viewerCan(@Root() relation: TagRelationRecord, @Ctx() { viewer }: GraphQLContext): TagRelationAbilities {
    return { decide: mayDecide(viewer, relation), delete: mayDelete(viewer, relation) };
  }
}
