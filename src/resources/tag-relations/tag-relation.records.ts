/** Aliases and implications as they are read. The two tables have the same columns. */
import { type Db, type Sql, sql } from "../../database/client.js";
import { IN_FORCE } from "../../tagging/facts.js";
import { ReadModel } from "../shared/read-model.js";

export type RelationKind = "alias" | "implication";

export interface TagRelationRecord {
  id: number;
  antecedentName: string;
  consequentName: string;
  creatorId: number;
  creatorName: string;
  approverId: number | null;
  forumTopicId: number | null;
  /** lowest level that may see that topic; null without one */
  forumTopicMinLevel: number | null;
  reason: string;
  /** `pending`, `queued`, `processing`, `active`, `deleted`, or `error: ` and what went wrong */
  status: string;
  createdAt: Date;
  updatedAt: Date;
  /** posts of the consequent; asked of aliases */
  postCount: number;
  /** everything that the antecedent implies by what is in force; asked of implications */
  descendantNames: string[];
}

/** The table of a kind, with its alias `t`. */
export const tableOf = (kind: RelationKind): Sql => (kind === "alias" ? sql`tag_aliases` : sql`tag_implications`);

const COLUMNS = sql`t.id, t.antecedent_name AS "antecedentName", t.consequent_name AS "consequentName",
  t.creator_id AS "creatorId", u.name AS "creatorName", t.approver_id AS "approverId",
  t.forum_topic_id AS "forumTopicId", t.reason, t.status,
  (SELECT min_level FROM forum_topics WHERE id = t.forum_topic_id) AS "forumTopicMinLevel", t.created_at AS "createdAt", t.updated_at AS "updatedAt"`;

const POST_COUNT = sql`COALESCE((SELECT post_count FROM tags WHERE name = t.consequent_name), 0) AS "postCount"`;

const DESCENDANTS = sql`ARRAY(
  WITH RECURSIVE implied(name) AS (
    SELECT t.consequent_name
    UNION SELECT i.consequent_name FROM tag_implications i JOIN implied ON i.antecedent_name = implied.name
           WHERE i.status IN ${IN_FORCE}
  ) SELECT name FROM implied ORDER BY name) AS "descendantNames"`;

const NONE = sql`'{}'::text[] AS "descendantNames"`;

const modelOf = (kind: RelationKind): ReadModel<TagRelationRecord> =>
  new ReadModel(
    kind === "alias" ? sql`${COLUMNS}, ${POST_COUNT}, ${NONE}` : sql`${COLUMNS}, 0 AS "postCount", ${DESCENDANTS}`,
    sql`${tableOf(kind)} AS t JOIN users u ON u.id = t.creator_id`,
  );

export const relations: Record<RelationKind, ReadModel<TagRelationRecord>> = {
  alias: modelOf("alias"),
  implication: modelOf("implication"),
};

/** One alias or implication, its row locked until the transaction ends; null when there is none. */
export async function lockRelation(db: Db, kind: RelationKind, id: number): Promise<TagRelationRecord | null> {
  await db.query(sql`SELECT 1 FROM ${tableOf(kind)} WHERE id = ${id} FOR NO KEY UPDATE`);
  return relations[kind].byId(db, id);
}

/** Writes the status, and who approved. */
export const setStatus = (
  db: Db,
  kind: RelationKind,
  id: number,
  status: string,
  approverId: number | null = null,
): Promise<number> =>
  db.execute(sql`UPDATE ${tableOf(kind)} SET status = ${status}, updated_at = now(),
    approver_id = COALESCE(${approverId}::int, approver_id) WHERE id = ${id}`);
