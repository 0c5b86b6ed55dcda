import { Arg, Args, Ctx, Int, Mutation, Query, Resolver } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { TagRelationRecord } from "../../src/resources/tag-relations/tag-relation.records.js";
import type { GraphQLContext } from "../context.js";
import { Public, RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { Limited } from "../shared/limited.js";
import {
  RequestTagRelationInput,
  TagImplication,
  TagImplicationConnection,
  TagImplicationPayload,
  TagRelationInput,
  TagRelationSearch,
} from "./tag-relation.type.js";

interface Payload {
  tagImplication: TagRelationRecord;
}

@Resolver(() => TagImplication)
export class TagImplicationResolver {
  @Public()
  @Query(() => TagImplicationConnection, {
    description: "Lists tag implications, newest first.",
    complexity: listComplexity,
  })
  async tagImplications(
    @Arg("search", () => TagRelationSearch, { nullable: true, description: "Which ones to list." })
    search: TagRelationSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<TagRelationRecord>> {
    return toConnection(await board.tagImplications.search(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => TagImplication, { nullable: true, description: "One tag implication." })
  tagImplication(
    @Arg("id", () => Int, { description: "Its number." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<TagRelationRecord | null> {
    return loaders.tagImplication.load(id);
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => TagImplicationPayload, {
    description: "Asks for a tag implication, which an Admin approves or turns down.",
  })
  async requestTagImplication(
    @Arg("input", () => RequestTagRelationInput, { description: "What to ask for." }) input: RequestTagRelationInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { tagImplication: await context.board.tagImplications.request(context, input) };
  }

  @RequireLevel(Level.Admin)
  @Mutation(() => TagImplicationPayload, {
    description: "Approves a tag implication; the posts follow in the background.",
  })
  async approveTagImplication(
    @Arg("input", () => TagRelationInput, { description: "Which one." }) { id }: TagRelationInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { tagImplication: await context.board.tagImplications.approve(context, id) };
  }

  @RequireLevel(Level.Admin)
  @Mutation(() => TagImplicationPayload, { description: "Turns the request for a tag implication down." })
  async rejectTagImplication(
    @Arg("input", () => TagRelationInput, { description: "Which one." }) { id }: TagRelationInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { tagImplication: await context.board.tagImplications.reject(context, id) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => TagImplicationPayload, {
    description: "Takes a tag implication out of force, or a request back; posts keep their tags.",
  })
  async deleteTagImplication(
    @Arg("input", () => TagRelationInput, { description: "Which one." }) { id }: TagRelationInput,
    @Ctx() context: GraphQLContext,
  ): Promise<Payload> {
    return { tagImplication: await context.board.tagImplications.delete(context, id) };
  }
}
