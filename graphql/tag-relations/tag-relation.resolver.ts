import type { ClassType } from "type-graphql";
import type { TagRelationService } from "../../src/resources/tag-relations/tag-relation.service.js";
import type { GraphQLContext } from "../context.js";
import { nested, objectType } from "../shared/fields.js";
import { list, lowerFirst, mutation, one, resolver } from "../shared/operations.js";
import {
  RequestTagRelationInput,
  TagAlias,
  TagImplication,
  TagRelationInput,
  TagRelationSearch,
} from "./tag-relation.type.js";

/** The operations of one kind. @param noun what one is called @param nouns what several are called */
function operationsOf(
  of: ClassType,
  [noun, nouns]: readonly [noun: string, nouns: string],
  service: (context: GraphQLContext) => TagRelationService,
): NewableFunction {
  const field = lowerFirst(of.name);
  const changed = `The ${noun} after the change.`;
  const payload = objectType(`${of.name}Payload`, changed, { [field]: nested(() => of, changed) });
  return resolver(of, {
    [`tag${nouns.charAt(0).toUpperCase()}${nouns.slice(1)}`]: list({
      of,
      description: `Lists tag ${nouns}, newest first.`,
      search: [TagRelationSearch, "Which ones to list."],
      find: (context, search, page) => service(context).search(search, page),
    }),

    [field]: one({ of, description: `One tag ${noun}.`, id: "Its number." }),

    [`request${of.name}`]: mutation({
      description: `Asks for a tag ${noun}, which an Admin approves or turns down.`,
      limited: "recordEdit",
      input: [RequestTagRelationInput, "What to ask for."],
      payload,
      resolve: async (context, input) => ({ [field]: await service(context).request(context, input) }),
    }),

    [`approve${of.name}`]: mutation({
      description: `Approves a tag ${noun}; the posts follow in the background.`,
      input: [TagRelationInput, "Which one."],
      payload,
      resolve: async (context, { id }) => ({ [field]: await service(context).approve(context, id) }),
    }),

    [`reject${of.name}`]: mutation({
      description: `Turns the request for a tag ${noun} down.`,
      input: [TagRelationInput, "Which one."],
      payload,
      resolve: async (context, { id }) => ({ [field]: await service(context).reject(context, id) }),
    }),

    [`delete${of.name}`]: mutation({
      description: `Takes a tag ${noun} out of force, or a request back; posts keep their tags.`,
      limited: "recordEdit",
      input: [TagRelationInput, "Which one."],
      payload,
      resolve: async (context, { id }) => ({ [field]: await service(context).delete(context, id) }),
    }),
  });
}

export const TagAliasResolver = operationsOf(TagAlias, ["alias", "aliases"], ({ board }) => board.tagAliases);
export const TagImplicationResolver = operationsOf(
  TagImplication,
  ["implication", "implications"],
  ({ board }) => board.tagImplications,
);
