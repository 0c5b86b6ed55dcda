/** Notes as they are read, and what their versions keep. */
import { sql } from "../../database/client.js";
import type { Filters } from "../../search/listing.js";
import { boolean, integer, type RecordOf, selected, text, time, userName } from "../shared/columns.js";
import { History } from "../shared/history.js";
import { ReadModel } from "../shared/read-model.js";

const noteState = {
  postId: integer,
  /** pixels of the original picture, from its top left corner */
  x: integer,
  y: integer,
  width: integer,
  height: integer,
  body: text,
  isActive: boolean,
};
export type NoteState = RecordOf<typeof noteState>;

const columns = {
  id: integer,
  ...noteState,
  creatorId: integer,
  creatorName: userName(),
  version: integer,
  createdAt: time,
  updatedAt: time,
};
export type NoteRecord = RecordOf<typeof columns>;

export const notes = new ReadModel<NoteRecord>(selected(columns), sql`notes AS t JOIN users u ON u.id = t.creator_id`);

export const noteHistory = new History({
  record: "note",
  table: "notes",
  state: noteState,
  alike: ["version"],
  filter: (filters: Filters, { postId }: { postId?: number[] | null }) => filters.ids(sql`t.post_id`, postId),
});
