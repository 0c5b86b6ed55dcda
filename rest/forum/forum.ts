import {
  ForumPostsCreateDocument,
  ForumPostsDeleteDocument,
  ForumPostsIndexDocument,
  ForumPostsShowDocument,
  ForumPostsUndeleteDocument,
  ForumPostsUpdateDocument,
  ForumTopicsCreateDocument,
  ForumTopicsDeleteDocument,
  ForumTopicsIndexDocument,
  ForumTopicsShowDocument,
  ForumTopicsUndeleteDocument,
  ForumTopicsUpdateDocument,
} from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const forum = [
  ...resource("forum_topic", [
    { method: "GET", path: "/forum_topics", document: ForumTopicsIndexDocument },
    { method: "GET", path: "/forum_topics/:id", document: ForumTopicsShowDocument },
    { method: "POST", path: "/forum_topics", document: ForumTopicsCreateDocument },
    { method: "PUT", path: "/forum_topics/:id", document: ForumTopicsUpdateDocument },
    { method: "DELETE", path: "/forum_topics/:id", document: ForumTopicsDeleteDocument },
    { method: "POST", path: "/forum_topics/:id/undelete", document: ForumTopicsUndeleteDocument },
  ]),
  ...resource("forum_post", [
    { method: "GET", path: "/forum_posts", document: ForumPostsIndexDocument },
    { method: "GET", path: "/forum_posts/:id", document: ForumPostsShowDocument },
    { method: "POST", path: "/forum_posts", document: ForumPostsCreateDocument },
    { method: "PUT", path: "/forum_posts/:id", document: ForumPostsUpdateDocument },
    { method: "DELETE", path: "/forum_posts/:id", document: ForumPostsDeleteDocument },
    { method: "POST", path: "/forum_posts/:id/undelete", document: ForumPostsUndeleteDocument },
  ]),
];
