import * as documents from "../__generated__/documents.js";
import { resource } from "../adapter/row.js";

export const userFeedbacks = resource("user_feedback", { record: documents.UserFeedbackFieldsFragmentDoc }, [
  { method: "GET", path: "/user_feedbacks", field: "userFeedbacks" },
  { method: "GET", path: "/user_feedbacks/:id", field: "userFeedback" },
]);
