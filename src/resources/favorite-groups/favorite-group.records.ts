/** Favorite groups as they are read, and what their versions keep. */
import { type Sql, sql } from "../../database/client.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import { boolean, integer, integers, type RecordOf, selected, text, time, userName } from "../shared/columns.js";
import { History } from "../shared/history.js";
import { memberChanges } from "../shared/post-list.js";
import { ReadModel } from "../shared/read-model.js";

const favoriteGroupState = {
  name: text,
  /** in the creator's order, each once */
  postIds: integers,
  /** false: nobody but the creator sees it */
  isPublic: boolean,
};
export type FavoriteGroupState = RecordOf<typeof favoriteGroupState>;

const columns = {
  id: integer,
  ...favoriteGroupState,
  creatorId: integer,
  creatorName: userName(),
  postCount: integer,
  createdAt: time,
  updatedAt: time,
};
export type FavoriteGroupRecord = RecordOf<typeof columns>;

export const favoriteGroups = new ReadModel<FavoriteGroupRecord>(
  selected(columns),
  sql`favorite_groups AS t JOIN users u ON u.id = t.creator_id`,
);

/** The groups that a viewer may see. */
const visibleOf = (group: Sql, { id }: Viewer): Sql => sql`(${group}.is_public OR ${group}.creator_id = ${id}::int)`;

export const visibleTo = (viewer: Viewer): Sql => visibleOf(sql`t`, viewer);

export const favoriteGroupHistory = new History({
  record: "favoriteGroup",
  table: "favorite_groups",
  state: favoriteGroupState,
  changes: { addedPostIds: integers, removedPostIds: integers },
  compare: (before, after) => memberChanges(before?.postIds, after.postIds),
  joins: sql`JOIN favorite_groups g ON g.id = t.favorite_group_id`,
  visible: (viewer) => visibleOf(sql`g`, viewer),
});
