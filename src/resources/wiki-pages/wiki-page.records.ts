import { sql } from "../../database/client.js";
import * as column from "../shared/columns.js";
import { History } from "../shared/history.js";
import { ReadModel } from "../shared/read-model.js";

const wikiPageState = {
  title: column.text,
  body: column.text,
  otherNames: column.texts,
  isLocked: column.boolean,
  isDeleted: column.boolean,
};
export type WikiPageState = column.RecordOf<typeof wikiPageState>;

const columns = {
  ...column.ofRecord,
  ...column.ofCreator,
  ...column.ofUpdater,
  ...wikiPageState,
  /** category of the tag of this name; general if there is none */
  category: column.typed<number>(sql`int`, sql`coalesce(tag.category, 0)::int`),
};
export type WikiPageRecord = column.RecordOf<typeof columns>;

export const wikiPages = new ReadModel(
  columns,
  sql`wiki_pages AS t LEFT JOIN users u ON u.id = t.creator_id LEFT JOIN users e ON e.id = t.updater_id
      LEFT JOIN tags tag ON tag.name = t.title`,
);

export const wikiPageHistory = new History({
  record: "wikiPage",
  table: "wiki_pages",
  state: wikiPageState,
  apart: ["isDeleted"],
  alike: ["updaterId"],
});
