import { enumType } from "../shared/fields.js";

export const PostAppealStatus = enumType("PostAppealStatus", "Outcome of an appeal.", {
  PENDING: ["pending", "Pending."],
  SUCCEEDED: ["succeeded", "Succeeded: the post is no longer deleted or flagged."],
  REJECTED: ["rejected", "Rejected: the post was deleted after it."],
});
