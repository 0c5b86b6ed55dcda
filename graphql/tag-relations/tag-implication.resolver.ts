import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import type { TagRelationRecord } from "../../src/resources/tag-relations/tag-relation.records.js";
import type { GraphQLContext } from "../context.js";
import { RequireLevel } from "../shared/access.js";
import { Limited } from "../shared/limited.js";
import { RequestTagRelationInput, TagImplication, TagImplicationPayload, TagRelationInput, TagRelationSearch } from "./tag-relation.type.js";
import { resolver, list, one } from "../shared/operations.js";
import { anybody } from "../../src/resources/shared/policy.js";

interface Payload {
  tagImplication: TagRelationRecord;
}

export const TagImplicationOperations = resolver(TagImplication, {
tagImplications: list({ of: TagImplication, description: "Lists tag implications, newest first.", allow: anybody, search: [TagRelationSearch, "Which ones to list."], find: ({ board }, search, page) => board.tagImplications.search(search, page) }),

tagImplication: one({ of: TagImplication, description: "One tag implication.", id: "Its number.", allow: anybody }),
});

@Resolver(() => TagImplication)
export class TagImplicationResolver {

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
