/** Reading aliases and implications, whose tables have the same columns. */
import { type Db, type Sql, sql } from "../../database/client.js";
import { IN_FORCE } from "../../tagging/facts.js";
import * as column from "../shared/columns.js";
import { ReadModel } from "../shared/read-model.js";

export type RelationKind = "alias" | "implication";

const columns = {
  ...column.ofRecord,
  ...column.ofCreator,
  antecedentName: column.text,
  consequentName: column.text,
  approverId: column.nullable(column.integer),
  forumTopicId: column.nullable(column.integer),
  reason: column.text,
  /** `pending`, `queued`, `processing`, `active`, `deleted`, or `error: ` and the reason */
  status: column.text,
  /** minimum level to see that topic; null without one */
  forumTopicMinLevel: column.typed<number | null>(
    sql`int`,
    sql`(SELECT min_level FROM forum_topics WHERE id = t.forum_topic_id)`,
  ),
};

const DESCENDANTS = sql`ARRAY(
  WITH RECURSIVE implied(name) AS (
    SELECT t.consequent_name
    UNION SELECT i.consequent_name FROM tag_implications i JOIN implied ON i.antecedent_name = implied.name
           WHERE i.status IN ${IN_FORCE}
  ) SELECT name FROM implied ORDER BY name)`;

/** Further columns, whose SQL depends on the kind. */
const further = (postCount: Sql, descendantNames: Sql) => ({
  ...columns,
  /** number of posts with the consequent of an alias */
  postCount: column.typed<number>(sql`int`, postCount),
  /** all tags that the antecedent of an implication implies, directly or not */
  descendantNames: column.typed<string[]>(sql`text[]`, descendantNames),
});
export type TagRelationRecord = column.RecordOf<ReturnType<typeof further>>;

const POST_COUNT = sql`COALESCE((SELECT post_count FROM tags WHERE name = t.consequent_name), 0)`;

/** The table of a kind, with its alias `t`. */
export const tableOf = (kind: RelationKind): Sql => (kind === "alias" ? sql`tag_aliases` : sql`tag_implications`);

const modelOf = (kind: RelationKind): ReadModel<TagRelationRecord> =>
  new ReadModel(
    kind === "alias" ? further(POST_COUNT, sql`'{}'::text[]`) : further(sql`0`, DESCENDANTS),
    sql`${tableOf(kind)} AS t LEFT JOIN users u ON u.id = t.creator_id`,
  );

export const relations: Record<RelationKind, ReadModel<TagRelationRecord>> = {
  alias: modelOf("alias"),
  implication: modelOf("implication"),
};

/** Locks an alias or implication until the transaction ends; null if there is none. */
export async function lockRelation(db: Db, kind: RelationKind, id: number): Promise<TagRelationRecord | null> {
  await db.query(sql`SELECT 1 FROM ${tableOf(kind)} WHERE id = ${id} FOR NO KEY UPDATE`);
  return relations[kind].byId(db, id);
}

/** Ends the work on one; one that was deleted meanwhile stays deleted. */
export const finishApplying = (db: Db, kind: RelationKind, id: number, status: string): Promise<number> =>
  db.execute(sql`UPDATE ${tableOf(kind)} SET status = ${status}, updated_at = now()
    WHERE id = ${id} AND status IN ('queued', 'processing')`);

export const setStatus = (
  db: Db,
  kind: RelationKind,
  id: number,
  status: string,
  approverId: number | null = null,
): Promise<number> =>
  db.execute(sql`UPDATE ${tableOf(kind)} SET status = ${status}, updated_at = now(),
    approver_id = COALESCE(${approverId}::int, approver_id) WHERE id = ${id}`);
