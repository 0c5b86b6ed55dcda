import type { ClassType } from "type-graphql";
import { lowerFirst } from "../../src/lib/case.js";
import type { TagRelationService } from "../../src/resources/tag-relations/tag-relation.service.js";
import type { GraphQLContext } from "../context.js";
import { nested, objectType } from "../shared/fields.js";
import { list, mutation, one, resolver } from "../shared/operations.js";
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
      search: [TagRelationSearch, "Filters for the list of ones."],
      find: (context, search, page) => service(context).search(search, page),
    }),

    [field]: one({ of, description: `One tag ${noun}.`, id: "Its ID." }),

    [`request${of.name}`]: mutation({
      description: `Requests a tag ${noun}, which an Admin approves or rejects.`,
      limited: "recordEdit",
      input: [RequestTagRelationInput, "The requested alias or implication."],
      payload,
      resolve: async (context, input) => ({ [field]: await service(context).request(context, input) }),
    }),

    [`approve${of.name}`]: mutation({
      description: `Approves a tag ${noun}. The posts are updated in the background.`,
      input: [TagRelationInput, "The record's ID."],
      payload,
      resolve: async (context, { id }) => ({ [field]: await service(context).approve(context, id) }),
    }),

    [`reject${of.name}`]: mutation({
      description: `Rejects a request for a tag ${noun}.`,
      input: [TagRelationInput, "The record's ID."],
      payload,
      resolve: async (context, { id }) => ({ [field]: await service(context).reject(context, id) }),
    }),

    [`delete${of.name}`]: mutation({
      description: `Deletes a tag ${noun} or withdraws a request for one. Posts keep their tags.`,
      limited: "recordEdit",
      input: [TagRelationInput, "The record's ID."],
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
