import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const forum = [
  ...resource("forum_topic", { record: documents.ForumTopicFieldsFragmentDoc }, [
    { method: "GET", path: "/forum_topics", field: "forumTopics" },
    { method: "GET", path: "/forum_topics/:id", field: "forumTopic" },
    { method: "POST", path: "/forum_topics", field: "createForumTopic" },
    { method: "PUT", path: "/forum_topics/:id", field: "updateForumTopic" },
    { method: "DELETE", path: "/forum_topics/:id", field: "deleteForumTopic" },
    { method: "POST", path: "/forum_topics/:id/undelete", field: "undeleteForumTopic" },
  ]),
  ...resource("forum_post", { record: documents.ForumPostFieldsFragmentDoc }, [
    { method: "GET", path: "/forum_posts", field: "forumPosts" },
    { method: "GET", path: "/forum_posts/:id", field: "forumPost" },
    { method: "POST", path: "/forum_posts", field: "createForumPost" },
    { method: "PUT", path: "/forum_posts/:id", field: "updateForumPost" },
    { method: "DELETE", path: "/forum_posts/:id", field: "deleteForumPost" },
    { method: "POST", path: "/forum_posts/:id/undelete", field: "undeleteForumPost" },
  ]),
];
