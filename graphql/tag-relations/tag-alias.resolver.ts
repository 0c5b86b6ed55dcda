import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { TagRelationRecord } from "../../src/resources/tag-relations/tag-relation.records.js";
import type { GraphQLContext } from "../context.js";
import { RequireLevel } from "../shared/access.js";
import { Limited } from "../shared/limited.js";
import { RequestTagRelationInput, TagAlias, TagAliasPayload, TagRelationInput, TagRelationSearch } from "./tag-relation.type.js";
import { resolver, list, one } from "../shared/operations.js";
import { anybody } from "../../src/resources/shared/policy.js";

interface Payload {
  tagAlias: TagRelationRecord;
}

export const TagAliasOperations = resolver(TagAlias, {
tagAliases: list({ of: TagAlias, description: "Lists tag aliases, newest first.", allow: anybody, search: [TagRelationSearch, "Which ones to list."], find: ({ board }, search, page) => board.tagAliases.search(search, page) }),

tagAlias: one({ of: TagAlias, description: "One tag alias.", id: "Its number.", allow: anybody }),
});

@Resolver(() => TagAlias)
export class TagAliasResolver {

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => TagAliasPayload, { description: "Asks for a tag alias, which an Admin approves or turns down." })
  async requestTagAlias(
    @Arg("input", () => RequestTagRelationInput, { description: "What to ask for." }) input: RequestTagRelationInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { tagAlias: await context.board.tagAliases.request(context, input) };
  }

  @RequireLevel(Level.Admin)
  @Mutation(() => TagAliasPayload, { description: "Approves a tag alias; the posts follow in the background." })
  async approveTagAlias(
    @Arg("input", () => TagRelationInput, { description: "Which one." }) { id }: TagRelationInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { tagAlias: await context.board.tagAliases.approve(context, id) };
  }

  @RequireLevel(Level.Admin)
  @Mutation(() => TagAliasPayload, { description: "Turns the request for a tag alias down." })
  async rejectTagAlias(
    @Arg("input", () => TagRelationInput, { description: "Which one." }) { id }: TagRelationInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { tagAlias: await context.board.tagAliases.reject(context, id) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => TagAliasPayload, {
    description: "Takes a tag alias out of force, or a request back; posts keep their tags.",
  })
  async deleteTagAlias(
    @Arg("input", () => TagRelationInput, { description: "Which one." }) { id }: TagRelationInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { tagAlias: await context.board.tagAliases.delete(context, id) };
  }
}
