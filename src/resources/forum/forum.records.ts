/** Topics and posts of the forum as they are read and locked. What the viewer may not see is not there at all. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import { type Db, sql } from "../../database/client.js";
import type { Problems } from "../../errors.js";
import { isStorable, lengthOf } from "../../lib/text.js";
import { visibleLevel } from "./forum.policy.js";
import { recordModAction } from "../mod-actions/mod-action.js";
import { ReadModel } from "../shared/read-model.js";

export interface ForumTopicRecord {
  id: number;
  title: string;
  creatorId: number;
  creatorName: string;
  updaterId: number;
  updaterName: string;
  /** 0 General, 1 Tags, 2 Bugs & Features */
  categoryId: number;
  /** lowest level that may see it; 0: everybody */
  minLevel: number;
  /** all posts, the first and the deleted ones included */
  responseCount: number;
  isSticky: boolean;
  isLocked: boolean;
  isDeleted: boolean;
  createdAt: Date;
  /** when its newest post was written, or when it was last edited itself */
  updatedAt: Date;
}

export interface ForumPostRecord {
  id: number;
  topicId: number;
  creatorId: number;
  creatorName: string;
  updaterId: number;
  updaterName: string;
  body: string;
  isDeleted: boolean;
  createdAt: Date;
  updatedAt: Date;
  /** what decides of the post and belongs to its topic */
  inTopic: Pick<ForumTopicRecord, "minLevel" | "isLocked">;
}

export const topics = new ReadModel<ForumTopicRecord>(
  sql`t.id, t.title, t.creator_id AS "creatorId", u.name AS "creatorName", t.updater_id AS "updaterId",
  e.name AS "updaterName", t.category_id::int AS "categoryId", t.min_level AS "minLevel",
  t.response_count AS "responseCount", t.is_sticky AS "isSticky", t.is_locked AS "isLocked",
  t.is_deleted AS "isDeleted", t.created_at AS "createdAt", t.updated_at AS "updatedAt"`,
  sql`forum_topics AS t JOIN users u ON u.id = t.creator_id JOIN users e ON e.id = t.updater_id`,
);

export const forumPosts = new ReadModel<ForumPostRecord>(
  sql`t.id, t.topic_id AS "topicId", t.creator_id AS "creatorId", u.name AS "creatorName",
  t.updater_id AS "updaterId", e.name AS "updaterName", t.body, t.is_deleted AS "isDeleted",
  t.created_at AS "createdAt", t.updated_at AS "updatedAt",
  json_build_object('minLevel', topic.min_level, 'isLocked', topic.is_locked) AS "inTopic"`,
  sql`forum_posts AS t JOIN forum_topics topic ON topic.id = t.topic_id
      JOIN users u ON u.id = t.creator_id JOIN users e ON e.id = t.updater_id`,
);

/**
 * The topic, its row locked until the transaction ends; null for one that the viewer may not see. Such a one is not even
 * locked, so that nobody can wait for it, nor learn from the time or the statements that it takes.
 */
export async function lockTopic(db: Db, viewer: Viewer, id: number): Promise<ForumTopicRecord | null> {
  const visible = await db.query<object>(sql`
    SELECT 1 FROM forum_topics WHERE id = ${id} AND min_level <= ${visibleLevel(viewer)} FOR NO KEY UPDATE`);
  return visible.length > 0 ? topics.byId(db, id) : null;
}

const BODY_MAX = 80_000;

/** Reports a text that can't be a post's. */
export function checkBody(body: string, problems: Problems): void {
  if (body.trim() === "") problems.add("body", "blank");
  if (!isStorable(body)) problems.add("body", "invalid");
  if (lengthOf(body) > BODY_MAX) problems.add("body", "too_long", { limit: BODY_MAX });
}

/** Logs what the staff did to somebody else's record, unless the log, which all can read, would tell of a hidden topic. */
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
