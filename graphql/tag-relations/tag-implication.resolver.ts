import {
  RequestTagRelationInput,
  TagImplication,
  TagImplicationPayload,
  TagRelationInput,
  TagRelationSearch,
} from "./tag-relation.type.js";
import { resolver, list, one, mutation } from "../shared/operations.js";

export const TagImplicationResolver = resolver(TagImplication, {
  tagImplications: list({
    of: TagImplication,
    description: "Lists tag implications, newest first.",
    search: [TagRelationSearch, "Which ones to list."],
    find: ({ board }, search, page) => board.tagImplications.search(search, page),
  }),

  tagImplication: one({ of: TagImplication, description: "One tag implication.", id: "Its number." }),

  requestTagImplication: mutation({
    description: "Asks for a tag implication, which an Admin approves or turns down.",
    limited: "recordEdit",
    input: [RequestTagRelationInput, "What to ask for."],
    payload: TagImplicationPayload,
    resolve: async (context, input) => ({
      tagImplication: await context.board.tagImplications.request(context, input),
    }),
  }),

  approveTagImplication: mutation({
    description: "Approves a tag implication; the posts follow in the background.",
    input: [TagRelationInput, "Which one."],
    payload: TagImplicationPayload,
    resolve: async (context, { id }) => ({ tagImplication: await context.board.tagImplications.approve(context, id) }),
  }),

  rejectTagImplication: mutation({
    description: "Turns the request for a tag implication down.",
    input: [TagRelationInput, "Which one."],
    payload: TagImplicationPayload,
    resolve: async (context, { id }) => ({ tagImplication: await context.board.tagImplications.reject(context, id) }),
  }),

  deleteTagImplication: mutation({
    description: "Takes a tag implication out of force, or a request back; posts keep their tags.",
    limited: "recordEdit",
    input: [TagRelationInput, "Which one."],
    payload: TagImplicationPayload,
    resolve: async (context, { id }) => ({ tagImplication: await context.board.tagImplications.delete(context, id) }),
  }),
});
