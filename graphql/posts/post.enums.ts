import { registerEnumType } from "type-graphql";

export const PostLock = { NOTE: "note", RATING: "rating", STATUS: "status" } as const;
registerEnumType(PostLock, {
  name: "PostLock",
  description: "Attributes of a post that can be locked.",
  valuesConfig: {
    NOTE: { description: "Notes: none can be created, edited or deleted." },
    RATING: { description: "The rating." },
    STATUS: { description: "Status: the post cannot be flagged, appealed, approved, deleted or restored." },
  },
});
