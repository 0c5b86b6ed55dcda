import * as documents from "../__generated__/documents.js";
import { readable } from "../adapter/row.js";

export const tags = readable("tag", { record: documents.TagFieldsFragmentDoc });
