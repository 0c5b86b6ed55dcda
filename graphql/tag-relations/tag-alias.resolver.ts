import { Arg, Args, Ctx, Int, Mutation, Query, Resolver } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { TagRelationRecord } from "../../src/resources/tag-relations/tag-relation.records.js";
import type { GraphQLContext } from "../context.js";
import { Public, RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { Limited } from "../shared/limited.js";
import {
  RequestTagRelationInput,
  TagAlias,
  TagAliasConnection,
  TagAliasPayload,
  TagRelationInput,
  TagRelationSearch,
} from "./tag-relation.type.js";

interface Payload {
  tagAlias: TagRelationRecord;
}

@Resolver(() => TagAlias)
export class TagAliasResolver {
  @Public()
  @Query(() => TagAliasConnection, { description: "Lists tag aliases, newest first.", complexity: listComplexity })
  async tagAliases(
    @Arg("search", () => TagRelationSearch, { nullable: true, description: "Which ones to list." })
    search: TagRelationSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<TagRelationRecord>> {
    return toConnection(await board.tagAliases.search(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => TagAlias, { nullable: true, description: "One tag alias." })
  tagAlias(
    @Arg("id", () => Int, { description: "Its number." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<TagRelationRecord | null> {
    return loaders.tagAlias.load(id);
  }

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
