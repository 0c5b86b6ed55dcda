/** Tag aliases and implications: the same operations for both. */
import type { ClassType } from "type-graphql";
import { lowerFirst, toPlural, upperFirst } from "../../src/lib/case.js";
import { maySeeTopic } from "../../src/resources/forum/forum.policy.js";
import { mayDecide, mayDelete } from "../../src/resources/tag-relations/tag-relation.policy.js";
import type { TagRelationRecord } from "../../src/resources/tag-relations/tag-relation.records.js";
import type { TagRelationService } from "../../src/resources/tag-relations/tag-relation.service.js";
import type { GraphQLContext } from "../context.js";
import {
  date,
  enumType,
  inputType,
  int,
  interfaceType,
  ints,
  nested,
  nullable,
  objectType,
  oneOf,
  optionalInput,
  string,
  strings,
} from "../shared/fields.js";
import { list, type Member, mutation, one, resolversOf } from "../shared/operations.js";
import { abilities, computed, relation } from "../shared/record-fields.js";
import { User } from "../users/user.type.js";
import { Bounded, NAMES } from "../shared/bounded.js";

const TagRelation = interfaceType("TagRelation", "Common fields of tag aliases and implications.", {
  id: int("Its ID."),
  antecedentName: string("The antecedent tag."),
  consequentName: string("The consequent tag, which replaces or accompanies the antecedent."),
  creatorId: int("The user who requested it."),
  creatorName: string("Name of the user who requested it."),
  approverId: nullable(int("The user who approved it.")),
  reason: string("The reason for the request."),
  status: string("`pending`, `queued`, `processing`, `active`, `deleted`, or `error: ` followed by a message."),
  createdAt: date("When it was requested."),
  updatedAt: date("When it was last updated."),
});

const TagAlias = objectType(
  "TagAlias",
  "A tag alias: the antecedent is replaced by the consequent.",
  { postCount: int("Number of posts with the consequent.") },
  [TagRelation],
);

const TagImplication = objectType(
  "TagImplication",
  "A tag implication: a post with the antecedent also gets the consequent.",
  { descendantNames: strings("All tags that the antecedent implies, directly or indirectly.", Bounded(NAMES)) },
  [TagRelation],
);

const TagRelationOrder = enumType("TagRelationOrder", "Sort orders of tag aliases and implications.", {
  CREATED_AT: ["created_at", "Newest first."],
  UPDATED_AT: ["updated_at", "Most recently updated first."],
  NAME: ["name", "By antecedent, then by consequent."],
});

const TagRelationSearch = optionalInput("TagRelationSearch", "Filters for the list of aliases or implications.", {
  id: ints("Those with these IDs."),
  nameMatches: string("Pattern of the antecedent or the consequent; `*` matches anything."),
  antecedentName: string("The exact antecedent."),
  consequentName: string("The exact consequent."),
  status: string("The exact status; by default all but deleted ones."),
  order: oneOf(TagRelationOrder, "The sort order; newest first by default."),
});

const RequestTagRelationInput = inputType("RequestTagRelationInput", "A request for an alias or implication.", {
  antecedentName: string("The antecedent tag."),
  consequentName: string("The consequent tag, which replaces or accompanies the antecedent."),
  reason: nullable(string("The reason.")),
});

const TagRelationInput = inputType("TagRelationInput", "The alias or implication.", { id: int("Its ID.") });

/** Declares the operations of one kind. @param noun its name */
function declareOperations(
  of: ClassType,
  noun: string,
  service: (context: GraphQLContext) => TagRelationService,
): void {
  const field = lowerFirst(of.name);
  const changed = `The ${noun} after the change.`;
  const payload = objectType(`${of.name}Payload`, changed, { [field]: nested(() => of, changed) });
  const change = (method: "approve" | "reject" | "delete", description: string): Member =>
    mutation({
      description,
      limited: method === "delete" ? "recordEdit" : null,
      input: [TagRelationInput, "The record's ID."],
      payload,
      resolve: async (context, { id }) => ({ [field]: await service(context)[method](context, id) }),
    });
  resolversOf(of, {
    [`tag${upperFirst(toPlural(noun))}`]: list({
      of,
      description: `Lists tag ${toPlural(noun)}, newest first.`,
      search: [TagRelationSearch, "Filters for the list."],
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
    [`approve${of.name}`]: change("approve", `Approves a tag ${noun}. The posts are updated in the background.`),
    [`reject${of.name}`]: change("reject", `Rejects a request for a tag ${noun}.`),
    [`delete${of.name}`]: change(
      "delete",
      `Deletes a tag ${noun} or withdraws a request for one. Posts keep their tags.`,
    ),
  });
}

declareOperations(TagAlias, "alias", ({ board }) => board.tagAliases);
declareOperations(TagImplication, "implication", ({ board }) => board.tagImplications);

resolversOf(TagRelation, {
  creator: relation(() => User, "The user who requested it."),

  forumTopicId: computed(
    nullable(int("The forum topic where it is discussed.")),
    ({ forumTopicId, forumTopicMinLevel }: TagRelationRecord, { viewer }) =>
      maySeeTopic(viewer, { minLevel: forumTopicMinLevel ?? 0 }) ? forumTopicId : null,
  ),

  viewerCan: abilities("an alias or implication", {
    decide: [mayDecide, "Approve or reject the request."],
    delete: [mayDelete, "Delete it or withdraw the request."],
  }),
});
