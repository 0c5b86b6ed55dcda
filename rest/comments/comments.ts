import { mutationOf, resource } from "../adapter/row.js";
import { groupedByPost } from "../posts/grouped.js";

const fields = `
  id post_id creator_id creator_name creator { id name } updater_id updater_name body score do_not_bump_post
  is_deleted is_sticky created_at updated_at`;

const vote = "id comment_id user_id score created_at updated_at";
const castVote = mutationOf("CommentVotesCreate", "createCommentVote", `vote { ${vote} }`);
const removeVote = mutationOf("CommentVotesDelete", "deleteCommentVote", `vote { ${vote} }`);

export const comments = [
  ...resource("comment", { fields }, [
    { method: "GET", path: "/comments", field: "comments", choice: groupedByPost("comment", "commentedPosts") },
    { method: "GET", path: "/comments/:id", field: "comment" },
    { method: "POST", path: "/comments", field: "createComment" },
    { method: "PUT", path: "/comments/:id", field: "updateComment" },
    { method: "DELETE", path: "/comments/:id", field: "deleteComment" },
    { method: "POST", path: "/comments/:id/undelete", field: "undeleteComment" },
  ]),
  ...resource("comment_vote", { fields: vote }, [
    { method: "GET", path: "/comment_votes", field: "commentVotes" },
    { method: "POST", path: "/comments/:comment_id/votes", document: castVote },
    { method: "DELETE", path: "/comments/:comment_id/votes", document: removeVote },
  ]),
];
