import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const forum = [
  ...resource("forum_topic", [
    { method: "GET", path: "/forum_topics", document: documents.ForumTopicsIndexDocument },
    { method: "GET", path: "/forum_topics/:id", document: documents.ForumTopicsShowDocument },
    { method: "POST", path: "/forum_topics", document: documents.ForumTopicsCreateDocument },
    { method: "PUT", path: "/forum_topics/:id", document: documents.ForumTopicsUpdateDocument },
    { method: "DELETE", path: "/forum_topics/:id", document: documents.ForumTopicsDeleteDocument },
    { method: "POST", path: "/forum_topics/:id/undelete", document: documents.ForumTopicsUndeleteDocument },
  ]),
  ...resource("forum_post", [
    { method: "GET", path: "/forum_posts", document: documents.ForumPostsIndexDocument },
    { method: "GET", path: "/forum_posts/:id", document: documents.ForumPostsShowDocument },
    { method: "POST", path: "/forum_posts", document: documents.ForumPostsCreateDocument },
    { method: "PUT", path: "/forum_posts/:id", document: documents.ForumPostsUpdateDocument },
    { method: "DELETE", path: "/forum_posts/:id", document: documents.ForumPostsDeleteDocument },
    { method: "POST", path: "/forum_posts/:id/undelete", document: documents.ForumPostsUndeleteDocument },
  ]),
];
