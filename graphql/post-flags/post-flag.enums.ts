import { registerEnumType } from "type-graphql";

export const PostFlagCategory = {
  NORMAL: "normal",
  UNAPPROVED: "unapproved",
  REJECTED: "rejected",
  BANNED: "banned",
} as const;
registerEnumType(PostFlagCategory, {
  name: "PostFlagCategory",
  description: "Category of a flag's reason.",
  valuesConfig: {
    NORMAL: { description: "Written by a user." },
    UNAPPROVED: { description: "Written by the system: nobody approved the pending post in time." },
    REJECTED: { description: "Written by the system: nobody approved the flagged post in time." },
    BANNED: { description: "Requested by the artist." },
  },
});

export const PostFlagStatus = { PENDING: "pending", SUCCEEDED: "succeeded", REJECTED: "rejected" } as const;
registerEnumType(PostFlagStatus, {
  name: "PostFlagStatus",
  description: "Outcome of a flag.",
  valuesConfig: {
    PENDING: { description: "Pending." },
    SUCCEEDED: { description: "Succeeded: the post is deleted." },
    REJECTED: { description: "Rejected: the post was approved." },
  },
});
