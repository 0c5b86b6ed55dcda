/** Wiki pages as they are read, and what their versions keep. */
import { sql } from "../../database/client.js";
import { boolean, column, integer, type RecordOf, selected, text, texts, time, userName } from "../shared/columns.js";
import { History } from "../shared/history.js";
import { ReadModel } from "../shared/read-model.js";

const wikiPageState = { title: text, body: text, otherNames: texts, isLocked: boolean, isDeleted: boolean };
export type WikiPageState = RecordOf<typeof wikiPageState>;

const columns = {
  id: integer,
  ...wikiPageState,
  creatorId: integer,
  creatorName: userName(),
  updaterId: integer,
  updaterName: userName("e"),
  /** category of the tag of this name; general where there is none */
  category: column<number>(sql`int`, sql`coalesce(tag.category, 0)::int`),
  createdAt: time,
  updatedAt: time,
};
export type WikiPageRecord = RecordOf<typeof columns>;

export const wikiPages = new ReadModel<WikiPageRecord>(
  selected(columns),
  sql`wiki_pages AS t JOIN users u ON u.id = t.creator_id JOIN users e ON e.id = t.updater_id
      LEFT JOIN tags tag ON tag.name = t.title`,
);

export const wikiPageHistory = new History({ record: "wikiPage", table: "wiki_pages", state: wikiPageState });
