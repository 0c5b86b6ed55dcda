import { registerEnumType } from "type-graphql";

export const PostFlagCategory = {
  NORMAL: "normal",
  UNAPPROVED: "unapproved",
  REJECTED: "rejected",
  BANNED: "banned",
} as const;
registerEnumType(PostFlagCategory, {
  name: "PostFlagCategory",
  description: "What kind of reason a flag has.",
  valuesConfig: {
    NORMAL: { description: "Somebody's own words." },
    UNAPPROVED: { description: "Written by the board: nobody approved the post in time." },
    REJECTED: { description: "Written by the board: nobody approved the post in time after it was flagged." },
    BANNED: { description: "The artist asked for it." },
  },
});

export const PostFlagStatus = { PENDING: "pending", SUCCEEDED: "succeeded", REJECTED: "rejected" } as const;
registerEnumType(PostFlagStatus, {
  name: "PostFlagStatus",
  description: "What became of a flag.",
  valuesConfig: {
    PENDING: { description: "Nothing yet." },
    SUCCEEDED: { description: "The post is deleted." },
    REJECTED: { description: "The post was approved." },
  },
});
