/**
 * Aliases (the antecedent is replaced by the consequent) and implications (a post with the antecedent also gets the consequent):
 * listing, requesting, and deciding. The effect of an approval on posts is in `tag-relation.apply.ts`.
 */
import type { RequestContext } from "../../context.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { lockKey } from "../../database/lock.js";
import { failure, invalid, validate } from "../../errors.js";
import { isStorable } from "../../lib/text.js";
import { authorize, requireLevel, requireRight } from "../shared/policy.js";
import { mayDecide, mayDelete, mayRequest } from "./tag-relation.policy.js";
import * as by from "../../search/filters.js";
import { anyOf, like } from "../../search/indexed.js";
import { conditionsOf, type Filter, type Page, type SearchOf } from "../../search/listing.js";
import { likePattern } from "../../search/pattern.js";
import { APPROVED } from "../../tagging/facts.js";
import { checkTagName, normalizeTagName } from "../../tagging/tag-name.js";
import type { PageRequest } from "../shared/paging.js";
import { queueApplying } from "./tag-relation.apply.js";
import { checkConsistency } from "./tag-relation.consistency.js";
import {
  lockRelation,
  type RelationKind,
  relations,
  setStatus,
  tableOf,
  type TagRelationRecord,
} from "./tag-relation.records.js";
import type { ServiceParts } from "../shared/service.js";
import { checkText } from "../shared/texts.js";
import { composed, toTagSpelling } from "../../lib/names.js";

const ORDERS = {
  created_at: sql`t.created_at DESC`,
  updated_at: sql`t.updated_at DESC`,
  name: sql`t.antecedent_name ASC, t.consequent_name ASC`,
};

const filters = {
  id: by.ids,
  antecedentName: by.equals as Filter<string>,
  consequentName: by.equals as Filter<string>,
  status: by.equals as Filter<string>,
  /** pattern of the antecedent or the consequent */
  nameMatches: (text: string) => (text === "" ? null : eitherName(text)),
};
export type TagRelationSearch = SearchOf<typeof filters> & { order?: keyof typeof ORDERS | null };

export interface NewTagRelation {
  antecedentName: string;
  consequentName: string;
  reason?: string | null;
}

const REASON_MAX = 5_000;
/** After which a job applies what a command created, which may have been stopped; if it still applies it, both do. */
const MINUTES_TO_APPLY = 10;

export class TagRelationService {
  constructor(
    readonly kind: RelationKind,
    private readonly parts: ServiceParts,
  ) {}

  search(search: TagRelationSearch, request: PageRequest): Promise<Page<TagRelationRecord>> {
    const where = conditionsOf(filters, search);
    if (!search.status) where.push(sql`t.status <> 'deleted'`);
    const orderBy = search.order ? ORDERS[search.order] : undefined;
    return relations[this.kind].list(this.parts, { where, orderBy }, request);
  }

  byIds(ids: readonly number[]): Promise<Map<number, TagRelationRecord>> {
    return relations[this.kind].byIds(this.parts.database, ids);
  }

  /**
   * Requests one; it is pending until an Admin decides.
   * @throws BoardError 403, 420 (invalid names, chains and cycles), 423 (there is one already)
   */
  request(context: RequestContext, input: NewTagRelation): Promise<TagRelationRecord> {
    const creator = requireRight(context.viewer, mayRequest);
    return this.insert(creator.id, input, "pending");
  }

  /**
   * Approves one; a background job edits the posts.
   * @throws BoardError 403, 404, 420 when it is not waiting, or would now form a chain or cycle
   */
  approve(context: RequestContext, id: number): Promise<TagRelationRecord> {
    const approver = requireRight(context.viewer, mayDecide);
    return this.parts.transact(async (db) => {
      await lockKey(db, "tagRelations");
      const relation = await this.locked(db, id);
      const waits = relation.status === "pending" || relation.status.startsWith("error");
      if (!waits) throw invalid("status", "not_pending");
      await checkConsistency(db, this.kind, relation, APPROVED);
      await setStatus(db, this.kind, id, "queued", approver.id);
      await queueApplying(db, this.kind, id);
      return relations[this.kind].get(db, id);
    });
  }

  /** Turns a request down. @throws BoardError 403, 404, 420 when it is not waiting */
  reject(context: RequestContext, id: number): Promise<TagRelationRecord> {
    requireRight(context.viewer, mayDecide);
    return this.end(id, (relation) => {
      if (relation.status !== "pending") throw invalid("status", "not_pending");
    });
  }

  /** Deletes a relation; posts keep their tags. @throws BoardError 403, 404 */
  delete(context: RequestContext, id: number): Promise<TagRelationRecord> {
    requireLevel(context.viewer);
    return this.end(id, (relation) => authorize(context.viewer, mayDelete(context.viewer, relation)));
  }

  /**
   * Creates an approved relation, for the command line; the caller applies it, or else a job. One that is there and was not applied to the
   * end, as by a command that was interrupted, is returned instead.
   * @throws BoardError 420, 423
   */
  createApproved(creatorId: number, input: NewTagRelation): Promise<TagRelationRecord> {
    return this.insert(creatorId, input, "queued");
  }

  private async insert(creatorId: number, input: NewTagRelation, status: string): Promise<TagRelationRecord> {
    const { antecedent, isReplaced } = await this.antecedentOf(input);
    const consequent = normalizeTagName(input.consequentName);
    const reason = input.reason ?? "";
    checkTexts(antecedent, consequent, reason, isReplaced);
    return this.parts.transact(async (db) => {
      await lockKey(db, "tagRelations");
      await checkConsistency(db, this.kind, { antecedentName: antecedent, consequentName: consequent }, APPROVED);
      const existing = await existingOf(db, this.kind, antecedent, consequent);
      const goesOn = status === "queued" && existing?.is_unfinished === true;
      if (existing && !goesOn) throw failure("already_exists");
      const approver = status === "queued" ? creatorId : null;
      const [row] = existing
        ? [existing]
        : await db.query<{ id: number }>(sql`
        INSERT INTO ${tableOf(this.kind)}
          (antecedent_name, consequent_name, creator_id, approver_id, reason, status, updated_at)
        VALUES (${antecedent}, ${consequent}, ${creatorId}, ${approver}::int, ${reason}, ${status}, now()) RETURNING id`);
      const id = row?.id ?? 0;
      if (status === "queued") await queueApplying(db, this.kind, id, MINUTES_TO_APPLY);
      return relations[this.kind].get(db, id);
    });
  }

  /**
   * The antecedent as tags are spelled; as typed, if there is such a tag from before names were composed, which an alias replaces.
   * @returns also whether an alias replaces a tag that there is, whose name may break the rules
   */
  private async antecedentOf({ antecedentName }: NewTagRelation): Promise<{ antecedent: string; isReplaced: boolean }> {
    const name = normalizeTagName(antecedentName);
    const typed = antecedentName.trim().toLowerCase();
    const names = composed(typed) === typed ? [name] : [typed, name];
    if (this.kind !== "alias" || !names.every(isStorable)) return { antecedent: name, isReplaced: false };
    const [tag] = await this.parts.database.query<{ name: string }>(
      sql`SELECT name FROM tags WHERE name = ANY(${names}::text[]) ORDER BY array_position(${names}::text[], name) LIMIT 1`,
    );
    return { antecedent: tag?.name ?? name, isReplaced: tag !== undefined };
  }

  private end(id: number, allow: (relation: TagRelationRecord) => void): Promise<TagRelationRecord> {
    return this.parts.transact(async (db) => {
      allow(await this.locked(db, id));
      await setStatus(db, this.kind, id, "deleted");
      return relations[this.kind].get(db, id);
    });
  }

  private async locked(db: Db, id: number): Promise<TagRelationRecord> {
    const relation = await lockRelation(db, this.kind, id);
    if (!relation || relation.status === "deleted") throw failure("not_found");
    return relation;
  }
}

function eitherName(text: string): Sql {
  const pattern = likePattern(toTagSpelling(text));
  return isStorable(text)
    ? anyOf([like(sql`t.antecedent_name`, pattern), like(sql`t.consequent_name`, pattern)])
    : sql`FALSE`;
}

/** @param isReplaced whether the antecedent is a tag that there is, whose name may break the rules */
const checkTexts = (antecedent: string, consequent: string, reason: string, isReplaced: boolean): void =>
  validate((problems) => {
    if (!isReplaced) checkTagName(antecedent, problems, "antecedent_name");
    checkTagName(consequent, problems, "consequent_name");
    if (antecedent === consequent) problems.add("antecedent_name", "same_as_consequent");
    checkText(problems, "reason", reason, { most: REASON_MAX });
  });

/** The alias of the antecedent, or the implication of the pair: there may be one. */
async function existingOf(db: Db, kind: RelationKind, antecedent: string, consequent: string) {
  const isSame = sql`consequent_name = ${consequent}`;
  const [existing] = await db.query<{ id: number; is_unfinished: boolean }>(sql`
    SELECT id, ${isSame} AND (status IN ('queued', 'processing') OR status LIKE 'error%') AS is_unfinished
      FROM ${tableOf(kind)} WHERE antecedent_name = ${antecedent} AND ${kind === "alias" ? sql`TRUE` : isSame}
       AND status NOT IN ('deleted', 'retired')`);
  return existing;
}
