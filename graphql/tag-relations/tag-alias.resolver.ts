import {
  RequestTagRelationInput,
  TagAlias,
  TagAliasPayload,
  TagRelationInput,
  TagRelationSearch,
} from "./tag-relation.type.js";
import { resolver, list, one, mutation } from "../shared/operations.js";

export const TagAliasResolver = resolver(TagAlias, {
  tagAliases: list({
    of: TagAlias,
    description: "Lists tag aliases, newest first.",
    search: [TagRelationSearch, "Which ones to list."],
    find: ({ board }, search, page) => board.tagAliases.search(search, page),
  }),

  tagAlias: one({ of: TagAlias, description: "One tag alias.", id: "Its number." }),

  requestTagAlias: mutation({
    description: "Asks for a tag alias, which an Admin approves or turns down.",
    limited: "recordEdit",
    input: [RequestTagRelationInput, "What to ask for."],
    payload: TagAliasPayload,
    resolve: async (context, input) => ({ tagAlias: await context.board.tagAliases.request(context, input) }),
  }),

  approveTagAlias: mutation({
    description: "Approves a tag alias; the posts follow in the background.",
    input: [TagRelationInput, "Which one."],
    payload: TagAliasPayload,
    resolve: async (context, { id }) => ({ tagAlias: await context.board.tagAliases.approve(context, id) }),
  }),

  rejectTagAlias: mutation({
    description: "Turns the request for a tag alias down.",
    input: [TagRelationInput, "Which one."],
    payload: TagAliasPayload,
    resolve: async (context, { id }) => ({ tagAlias: await context.board.tagAliases.reject(context, id) }),
  }),

  deleteTagAlias: mutation({
    description: "Takes a tag alias out of force, or a request back; posts keep their tags.",
    limited: "recordEdit",
    input: [TagRelationInput, "Which one."],
    payload: TagAliasPayload,
    resolve: async (context, { id }) => ({ tagAlias: await context.board.tagAliases.delete(context, id) }),
  }),
});
