import * as documents from "../__generated__/documents.js";
import { readable } from "../adapter/row.js";

export const modActions = readable("mod_action", { record: documents.ModActionFieldsFragmentDoc });
