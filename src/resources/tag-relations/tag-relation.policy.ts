/** Rights on aliases and implications: members request them, Admins decide. */
import { maySeeTopic } from "../forum/forum.policy.js";
import { admin, member, open, right, type Rights } from "../shared/policy.js";

export const mayRequest = member;
export const mayDecide = admin;

/** Admins delete any; a pending request may also be withdrawn by its author or a Builder. */
export const mayDelete = right<{ creatorId: number; status: string }>({
  minimum: "member",
  others: "builder",
  owner: ({ creatorId }) => creatorId,
  also: ({ status }) => (status === "pending" ? null : "admin"),
  note: "If it is no longer pending: Admins only.",
});

export const tagRelationRights: Rights = {
  reads: { tagAlias: open, tagAliases: open, tagImplication: open, tagImplications: open },
  writes: {
    approveTagAlias: mayDecide,
    approveTagImplication: mayDecide,
    deleteTagAlias: mayDelete,
    deleteTagImplication: mayDelete,
    rejectTagAlias: mayDecide,
    rejectTagImplication: mayDecide,
    requestTagAlias: mayRequest,
    requestTagImplication: mayRequest,
  },
  fields: { "TagAlias.forumTopicId": maySeeTopic, "TagImplication.forumTopicId": maySeeTopic },
};
