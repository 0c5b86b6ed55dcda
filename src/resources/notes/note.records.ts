import { sql } from "../../database/client.js";
import * as by from "../../search/filters.js";
import * as column from "../shared/columns.js";
import { History } from "../shared/history.js";
import { ReadModel } from "../shared/read-model.js";

const noteState = {
  postId: column.integer,
  /** pixels of the original picture, from its top left corner */
  x: column.integer,
  y: column.integer,
  width: column.integer,
  height: column.integer,
  body: column.text,
  isActive: column.boolean,
};
export type NoteState = column.RecordOf<typeof noteState>;

const columns = { ...column.ofRecord, ...column.ofCreator, ...noteState, version: column.integer };
export type NoteRecord = column.RecordOf<typeof columns>;

export const notes = new ReadModel(columns, sql`notes AS t LEFT JOIN users u ON u.id = t.creator_id`);

export const noteHistory = new History({
  record: "note",
  table: "notes",
  state: noteState,
  apart: ["isActive"],
  alike: ["version"],
  filters: { postId: by.ids },
});
