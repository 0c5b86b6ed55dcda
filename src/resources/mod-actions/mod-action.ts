/** The public, append-only log of what the staff did. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import type { Config } from "../../config.js";
import { type Database, type Db, type Sql, sql } from "../../database/client.js";
import { visibleLevel } from "../forum/forum.policy.js";
import { isSearchable } from "../../search/bounds.js";
import { Filters, type Page } from "../../search/listing.js";
import type { PageRequest } from "../shared/paging.js";
import { ReadModel } from "../shared/read-model.js";

export interface ModActionRecord {
  id: number;
  /** null: the board itself, in a job or by the command line */
  creatorId: number | null;
  creatorName: string | null;
  /** what was done, in lower-case words: `post_delete` */
  category: string;
  description: string;
  /** what it was done to, as the type is called in GraphQL; it may be gone by now */
  subjectType: string | null;
  subjectId: number | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface ModActionSearch {
  id?: number[] | null;
  creatorId?: number[] | null;
  creatorName?: string | null;
  category?: string | null;
  descriptionMatches?: string | null;
  subjectType?: string | null;
  subjectId?: number[] | null;
}

/** What was acted on: its type as in GraphQL (`Post`) and its number. */
export interface ModActionSubject {
  type: string;
  id: number;
}

/**
 * Adds a line to the log, in the transaction of the action.
 * @param viewer who acted; null for the board itself
 * @param category lower-case words joined by underscores, what was acted on first: `pool_delete`
 * @param description a sentence in the past tense without its subject, for people: `deleted post #1: off topic`
 */
export async function recordModAction(
  db: Db,
  viewer: Pick<Viewer, "id"> | null,
  category: string,
  description: string,
  subject: ModActionSubject | null,
): Promise<void> {
  const creatorId = viewer?.id ?? null;
  const data = { creatorId, category, description, subjectType: subject?.type ?? null, subjectId: subject?.id ?? null };
  await db.modAction.create({ data, select: { id: true } });
}

const modActions = new ReadModel<ModActionRecord>(
  sql`t.id, t.creator_id AS "creatorId", u.name AS "creatorName", t.category, t.description,
  t.subject_type AS "subjectType", t.subject_id AS "subjectId", t.created_at AS "createdAt", t.updated_at AS "updatedAt"`,
  sql`mod_actions AS t LEFT JOIN users u ON u.id = t.creator_id`,
);

/**
 * What was done in the forum is told to whoever may see the topic as it is now: it may have been hidden since. Each topic is
 * looked up by its number, so that the others cost nothing.
 */
const visibleTo = (viewer: Viewer): Sql => sql`CASE t.subject_type
  WHEN 'ForumTopic' THEN (SELECT min_level FROM forum_topics WHERE id = t.subject_id) <= ${visibleLevel(viewer)}
  WHEN 'ForumPost' THEN (SELECT topic.min_level FROM forum_posts p JOIN forum_topics topic ON topic.id = p.topic_id
                          WHERE p.id = t.subject_id) <= ${visibleLevel(viewer)}
  ELSE TRUE END`;

export class ModActionService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** @throws BoardError 424 for too deep a page */
  search(viewer: Viewer, search: ModActionSearch, request: PageRequest): Promise<Page<ModActionRecord>> {
    const filters = new Filters()
      .add(visibleTo(viewer))
      .ids(sql`t.id`, search.id)
      .ids(sql`t.creator_id`, search.creatorId)
      .userName(sql`t.creator_id`, search.creatorName)
      .equals(sql`t.category`, search.category)
      .contains([sql`t.description`], search.descriptionMatches)
      .ids(sql`t.subject_id`, search.subjectId);
    if (search.subjectType && isSearchable(search.subjectType)) {
      filters.add(sql`lower(t.subject_type) = ${search.subjectType.toLowerCase()}`);
    }
    return modActions.list(this.database, { where: filters.conditions }, request, this.config);
  }

  /** Those of the entries that the viewer may see. */
  async byIds(viewer: Viewer, ids: readonly number[]): Promise<Map<number, ModActionRecord>> {
    const rows = await modActions.all(this.database, sql`t.id = ANY(${[...ids]}::int[]) AND ${visibleTo(viewer)}`);
    return new Map(rows.map((row) => [row.id, row]));
  }
}
