import { UserFeedbacksIndexDocument, UserFeedbacksShowDocument } from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const userFeedbacks = resource("user_feedback", [
  { method: "GET", path: "/user_feedbacks", document: UserFeedbacksIndexDocument },
  { method: "GET", path: "/user_feedbacks/:id", document: UserFeedbacksShowDocument },
]);
