/** The columns of forum topics and posts, and locking them. Hidden ones don't exist for the viewer. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import { type Db, sql } from "../../database/client.js";
import type { ValidationErrors } from "../../errors.js";
import { visibleLevel } from "./forum.policy.js";
import { recordModAction } from "../mod-actions/mod-action.js";
import * as column from "../shared/columns.js";
import { ReadModel } from "../shared/read-model.js";
import { checkText } from "../shared/texts.js";

const topicColumns = {
  ...column.ofRecord,
  ...column.ofCreator,
  ...column.ofUpdater,
  title: column.text,
  /** 0 General, 1 Tags, 2 Bugs & Features */
  categoryId: column.typed<number>(sql`int`, sql`t.category_id::int`),
  /** minimum level to see it; 0 for everybody */
  minLevel: column.integer,
  /** all posts, the first and the deleted ones included */
  responseCount: column.integer,
  isSticky: column.boolean,
  isLocked: column.boolean,
  isDeleted: column.boolean,
  /** when its newest post was written, or when it was last edited itself */
  updatedAt: column.time,
};
export type ForumTopicRecord = column.RecordOf<typeof topicColumns>;

const postColumns = {
  ...column.ofRecord,
  ...column.ofCreator,
  ...column.ofUpdater,
  topicId: column.integer,
  body: column.text,
  isDeleted: column.boolean,
  /** columns of the topic on which rights on the post depend */
  inTopic: column.typed<Pick<ForumTopicRecord, "minLevel" | "isLocked">>(
    sql`json`,
    sql`json_build_object('minLevel', topic.min_level, 'isLocked', topic.is_locked)`,
  ),
};
export type ForumPostRecord = column.RecordOf<typeof postColumns>;

export const topics = new ReadModel(
  topicColumns,
  sql`forum_topics AS t LEFT JOIN users u ON u.id = t.creator_id LEFT JOIN users e ON e.id = t.updater_id`,
);

export const forumPosts = new ReadModel(
  postColumns,
  sql`forum_posts AS t JOIN forum_topics topic ON topic.id = t.topic_id
      LEFT JOIN users u ON u.id = t.creator_id LEFT JOIN users e ON e.id = t.updater_id`,
);

/**
 * Locks a topic until the transaction ends; null for one that the viewer may not see. That one is not
 * locked, so that the viewer can't learn of it by the time that waiting takes.
 */
export async function lockTopic(db: Db, viewer: Viewer, id: number): Promise<ForumTopicRecord | null> {
  const visible = await db.query<object>(sql`
    SELECT 1 FROM forum_topics WHERE id = ${id} AND min_level <= ${visibleLevel(viewer)} FOR NO KEY UPDATE`);
  return visible.length > 0 ? topics.byId(db, id) : null;
}

const BODY_MAX = 80_000;

export function checkBody(body: string, problems: ValidationErrors): void {
  checkText(problems, "body", body, { most: BODY_MAX, isRequired: true });
}

/** Logs staff actions on others' records, unless the public log would reveal a hidden topic. */
export async function logStaffAction(
  db: Db,
  viewer: Viewer,
  record: { id: number; creatorId: number; minLevel: number },
  type: "ForumPost" | "ForumTopic",
  action: "update" | "delete" | "undelete",
): Promise<void> {
  if (viewer.id === record.creatorId || record.minLevel > 0) return;
  const noun = type === "ForumPost" ? "post" : "topic";
  const past = { update: "edited", delete: "deleted", undelete: "undeleted" }[action];
  const description = `${past} forum ${noun} #${record.id}`;
  await recordModAction(db, viewer, `forum_${noun}_${action}`, description, { type, id: record.id });
}
