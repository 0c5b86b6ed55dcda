import * as documents from "../__generated__/documents.js";
import { readable } from "../adapter/row.js";

export const forum = [
  ...readable("forum_topic", { record: documents.ForumTopicFieldsFragmentDoc }, [
    { method: "POST", path: "/forum_topics", field: "createForumTopic" },
    { method: "PUT", path: "/forum_topics/:id", field: "updateForumTopic" },
    { method: "DELETE", path: "/forum_topics/:id", field: "deleteForumTopic" },
    { method: "POST", path: "/forum_topics/:id/undelete", field: "undeleteForumTopic" },
  ]),
  ...readable("forum_post", { record: documents.ForumPostFieldsFragmentDoc }, [
    { method: "POST", path: "/forum_posts", field: "createForumPost" },
    { method: "PUT", path: "/forum_posts/:id", field: "updateForumPost" },
    { method: "DELETE", path: "/forum_posts/:id", field: "deleteForumPost" },
    { method: "POST", path: "/forum_posts/:id/undelete", field: "undeleteForumPost" },
  ]),
];
