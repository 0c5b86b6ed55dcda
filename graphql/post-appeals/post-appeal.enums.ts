import { registerEnumType } from "type-graphql";

export const PostAppealStatus = { PENDING: "pending", SUCCEEDED: "succeeded", REJECTED: "rejected" } as const;
registerEnumType(PostAppealStatus, {
  name: "PostAppealStatus",
  description: "What became of an appeal.",
  valuesConfig: {
    PENDING: { description: "Nothing yet." },
    SUCCEEDED: { description: "The post is neither deleted nor flagged any more." },
    REJECTED: { description: "The post was deleted after it." },
  },
});
