import * as documents from "../__generated__/documents.js";
import { readable } from "../adapter/row.js";

export const bans = readable("ban", { record: documents.BanFieldsFragmentDoc });
