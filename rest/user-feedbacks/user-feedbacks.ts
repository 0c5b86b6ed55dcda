import * as documents from "../__generated__/documents.js";
import { readable } from "../adapter/row.js";

export const userFeedbacks = readable("user_feedback", { record: documents.UserFeedbackFieldsFragmentDoc });
