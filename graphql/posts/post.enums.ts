import { registerEnumType } from "type-graphql";

export const PostLock = { NOTE: "note", RATING: "rating", STATUS: "status" } as const;
registerEnumType(PostLock, {
  name: "PostLock",
  description: "What of a post can be locked.",
  valuesConfig: {
    NOTE: { description: "Its notes: none are made, changed or taken away." },
    RATING: { description: "Its rating." },
    STATUS: { description: "Its status: it is neither flagged, appealed, approved, deleted nor brought back." },
  },
});
