import { enumType } from "../shared/fields.js";

export const PostLock = enumType("PostLock", "Attributes of a post that can be locked.", {
  NOTE: ["note", "Notes: none can be created, edited or deleted."],
  RATING: ["rating", "The rating."],
  STATUS: ["status", "Status: the post cannot be flagged, appealed, approved, deleted or restored."],
});
