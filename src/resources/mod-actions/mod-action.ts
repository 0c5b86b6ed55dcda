/** The public, append-only log of staff actions. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { visibleLevel } from "../forum/forum.policy.js";
import { isSearchable } from "../../search/bounds.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Filter, type Page, type SearchOf } from "../../search/listing.js";
import type { PageRequest } from "../shared/paging.js";
import * as column from "../shared/columns.js";
import { reading, ReadModel } from "../shared/read-model.js";

const columns = {
  ...column.ofRecord,
  /** null for the board itself: a job or the command line */
  creatorId: column.nullable(column.integer),
  creatorName: column.nullable(column.userName()),
  /** the action, in lower-case words: `post_delete` */
  category: column.text,
  description: column.text,
  /** its GraphQL type; the record may have been removed since */
  subjectType: column.nullable(column.text),
  subjectId: column.nullable(column.integer),
};
export type ModActionRecord = column.RecordOf<typeof columns>;

const filters = {
  id: by.ids,
  ...by.user("creator"),
  category: by.equals as Filter<string>,
  descriptionMatches: by.on(sql`t.description`, by.contains),
  subjectId: by.ids,
  subjectType: (type: string) =>
    type !== "" && isSearchable(type) ? sql`lower(t.subject_type) = ${type.toLowerCase()}` : null,
};

/**
 * Adds a line to the log, in the transaction of the action.
 * @param viewer the user; null for the board itself
 * @param category lower-case words joined by underscores, the type of the record first: `pool_delete`
 * @param description a sentence in the past tense without its subject, for people: `deleted post #1: off topic`
 * @param subject the record: its GraphQL type (`Post`) and id
 */
export async function recordModAction(
  db: Db,
  viewer: Pick<Viewer, "id"> | null,
  category: string,
  description: string,
  subject: { type: string; id: number },
): Promise<void> {
  const data = {
    creatorId: viewer?.id ?? null,
    category,
    description,
    subjectType: subject.type,
    subjectId: subject.id,
  };
  await db.modAction.create({ data, select: { id: true } });
}

const modActions = new ReadModel(columns, sql`mod_actions AS t LEFT JOIN users u ON u.id = t.creator_id`);

/**
 * Entries about the forum are visible to those who may see the topic as it is now: it may have been hidden since. Topics are looked
 * up by id, and only for these entries.
 */
const visibleTo = (viewer: Viewer): Sql => sql`CASE t.subject_type
  WHEN 'ForumTopic' THEN (SELECT min_level FROM forum_topics WHERE id = t.subject_id) <= ${visibleLevel(viewer)}
  WHEN 'ForumPost' THEN (SELECT topic.min_level FROM forum_posts p JOIN forum_topics topic ON topic.id = p.topic_id
                          WHERE p.id = t.subject_id) <= ${visibleLevel(viewer)}
  ELSE TRUE END`;

export class ModActionService extends reading(modActions, visibleTo) {
  /** @throws BoardError 424 for too deep a page */
  search(viewer: Viewer, search: SearchOf<typeof filters>, request: PageRequest): Promise<Page<ModActionRecord>> {
    const where = [visibleTo(viewer), ...conditionsOf(filters, search)];
    return modActions.list(this.parts, { where }, request);
  }
}
