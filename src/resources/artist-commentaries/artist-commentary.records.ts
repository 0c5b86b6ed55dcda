/** Artists' commentaries as they are read, and what their versions keep. */
import { sql } from "../../database/client.js";
import type { Filters } from "../../search/listing.js";
import { integer, type RecordOf, selected, text, time } from "../shared/columns.js";
import { History } from "../shared/history.js";
import { ReadModel } from "../shared/read-model.js";

/** The four texts; an empty one is not there. */
const texts = { originalTitle: text, originalDescription: text, translatedTitle: text, translatedDescription: text };
export type CommentaryTexts = RecordOf<typeof texts>;

const state = { postId: integer, ...texts };
export type CommentaryState = RecordOf<typeof state>;

const columns = { id: integer, ...state, createdAt: time, updatedAt: time };
export type ArtistCommentaryRecord = RecordOf<typeof columns>;

export const commentaries = new ReadModel<ArtistCommentaryRecord>(selected(columns), sql`artist_commentaries AS t`);

export const artistCommentaryHistory = new History({
  record: "artistCommentary",
  table: "artist_commentaries",
  state,
  filter: (filters: Filters, { postId }: { postId?: number[] | null }) => filters.ids(sql`t.post_id`, postId),
});
