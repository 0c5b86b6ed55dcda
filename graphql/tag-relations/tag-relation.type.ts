import { Bounded, NAMES } from "../shared/bounded.js";
import { date, int, interfaceType, nullable, objectType, string, strings } from "../shared/fields.js";

export const TagRelation = interfaceType("TagRelation", "Common fields of tag aliases and implications.", {
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

export const TagAlias = objectType(
  "TagAlias",
  "A tag alias: the antecedent is replaced by the consequent.",
  { postCount: int("Number of posts with the consequent.") },
  [TagRelation],
);

export const TagImplication = objectType(
  "TagImplication",
  "A tag implication: a post with the antecedent also gets the consequent.",
  { descendantNames: strings("All tags that the antecedent implies, directly or indirectly.", Bounded(NAMES)) },
  [TagRelation],
);
