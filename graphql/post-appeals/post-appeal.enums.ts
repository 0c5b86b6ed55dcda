import { registerEnumType } from "type-graphql";

export const PostAppealStatus = { PENDING: "pending", SUCCEEDED: "succeeded", REJECTED: "rejected" } as const;
registerEnumType(PostAppealStatus, {
  name: "PostAppealStatus",
  description: "Outcome of an appeal.",
  valuesConfig: {
    PENDING: { description: "Pending." },
    SUCCEEDED: { description: "Succeeded: the post is no longer deleted or flagged." },
    REJECTED: { description: "Rejected: the post was deleted after it." },
  },
});
