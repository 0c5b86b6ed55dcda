import { type Sql, sql } from "../../database/client.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import * as column from "../shared/columns.js";
import { History } from "../shared/history.js";
import { memberChanges } from "../shared/post-list.js";
import { ReadModel } from "../shared/read-model.js";

const favoriteGroupState = {
  name: column.text,
  /** in the creator's order, without duplicates */
  postIds: column.integers,
  /** false: visible only to the creator */
  isPublic: column.boolean,
};
export type FavoriteGroupState = column.RecordOf<typeof favoriteGroupState>;

const columns = { ...column.ofRecord, ...column.ofCreator, ...favoriteGroupState, postCount: column.integer };
export type FavoriteGroupRecord = column.RecordOf<typeof columns>;

export const favoriteGroups = new ReadModel(
  columns,
  sql`favorite_groups AS t LEFT JOIN users u ON u.id = t.creator_id`,
);

const visibleOf = (group: Sql, { id }: Viewer): Sql => sql`(${group}.is_public OR ${group}.creator_id = ${id}::int)`;

export const visibleTo = (viewer: Viewer): Sql => visibleOf(sql`t`, viewer);

export const favoriteGroupHistory = new History({
  record: "favoriteGroup",
  table: "favorite_groups",
  state: favoriteGroupState,
  derived: ({ postIds }) => ({ postCount: postIds.length }),
  changes: { addedPostIds: column.integers, removedPostIds: column.integers },
  compare: (before, after) => memberChanges(before?.postIds, after.postIds),
  joins: sql`JOIN favorite_groups g ON g.id = t.favorite_group_id`,
  visible: (viewer) => visibleOf(sql`g`, viewer),
});
