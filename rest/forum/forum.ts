import { readable, resource } from "../adapter/row.js";

const topicFields = `
  id creator_id updater_id title response_count is_sticky is_locked is_deleted created_at updated_at category_id
  min_level creator_name updater_name`;

const postFields = "id topic_id creator_id updater_id body is_deleted created_at updated_at creator_name updater_name";

export const forum = [
  ...resource("forum_topic", { fields: topicFields }, [
    { method: "GET", path: "/forum_topics", field: "forumTopics", bare: ["title", "title_matches"] },
    { method: "GET", path: "/forum_topics/:id", field: "forumTopic" },
    { method: "POST", path: "/forum_topics", field: "createForumTopic" },
    { method: "PUT", path: "/forum_topics/:id", field: "updateForumTopic" },
    { method: "DELETE", path: "/forum_topics/:id", field: "deleteForumTopic" },
    { method: "POST", path: "/forum_topics/:id/undelete", field: "undeleteForumTopic" },
  ]),
  ...readable("forum_post", { fields: postFields }, [
    { method: "POST", path: "/forum_posts", field: "createForumPost" },
    { method: "PUT", path: "/forum_posts/:id", field: "updateForumPost" },
    { method: "DELETE", path: "/forum_posts/:id", field: "deleteForumPost" },
    { method: "POST", path: "/forum_posts/:id/undelete", field: "undeleteForumPost" },
  ]),
];
