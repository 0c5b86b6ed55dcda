import { sql } from "../../database/client.js";
import * as by from "../../search/filters.js";
import * as column from "../shared/columns.js";
import { History } from "../shared/history.js";
import { ReadModel } from "../shared/read-model.js";

/** The four texts, empty if absent. */
export const texts = {
  originalTitle: column.text,
  originalDescription: column.text,
  translatedTitle: column.text,
  translatedDescription: column.text,
};
export type CommentaryTexts = column.RecordOf<typeof texts>;

const state = { postId: column.integer, ...texts };
export type CommentaryState = column.RecordOf<typeof state>;

const columns = { ...column.ofRecord, ...state };
export type ArtistCommentaryRecord = column.RecordOf<typeof columns>;

export const commentaries = new ReadModel(columns, sql`artist_commentaries AS t`);

export const artistCommentaryHistory = new History({
  record: "artistCommentary",
  table: "artist_commentaries",
  state,
  filters: { postId: by.ids },
});
