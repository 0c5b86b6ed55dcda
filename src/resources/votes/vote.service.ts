/** Votes on posts and on comments: one for each user and record, up or down. */
import type { RequestContext } from "../../context.js";
import { type Db, identifier, type Sql, sql } from "../../database/client.js";
import { lockRow } from "../../database/lock.js";
import { inserted } from "../../database/rows.js";
import { failure, invalid, requireFound } from "../../errors.js";
import { toSnake } from "../../lib/case.js";
import type { SignedIn, Viewer } from "../../runtime/auth/viewer.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Filter, type Page, type SearchOf } from "../../search/listing.js";
import { mayVote as mayVoteOnComment } from "../comments/comment.policy.js";
import { type CommentRecord, comments } from "../comments/comment.records.js";
import { mayVote as mayVoteOnPost } from "../posts/post.policy.js";
import { type LockedPost, lockPostRow } from "../posts/post.records.js";
import * as column from "../shared/columns.js";
import type { PageRequest } from "../shared/paging.js";
import { authorize, requireLevel } from "../shared/policy.js";
import { maySeeVotes } from "../shared/privacy.policy.js";
import { ReadModel } from "../shared/read-model.js";
import type { ServiceParts } from "../shared/service.js";

const columns = {
  ...column.ofRecord,
  userId: column.integer,
  /** 1 or -1 */
  score: column.integer,
};
export type VoteRecord = column.RecordOf<typeof columns>;

const filters = {
  id: by.ids,
  ...by.user("user"),
  score: by.equals as Filter<number>,
  postId: by.unorderedIds,
  commentId: by.unorderedIds,
};
export type VoteSearch = SearchOf<typeof filters>;

type Score = 1 | -1 | 0;

/** A kind of records with votes. */
interface Subject<On> {
  votes: string;
  /** the field of a vote with the id of its record */
  key: "postId" | "commentId";
  /** Locks the record until the transaction ends. */
  lock(db: Db, id: number): Promise<On | null>;
  /** @param score 0 to remove a vote @throws BoardError 403, 420 */
  check(voter: SignedIn, on: On, score: Score): void;
  /**
   * A statement that updates the scores of the record of the row `vote`. Its times and versions stay.
   * @param before the previous vote, 0 for none
   * @param after the new vote
   */
  scoring(before: Sql, after: Sql): Sql;
}

/** `up_score` sums the votes above zero, `down_score` (never positive) those below, `score` all of them. */
const scoringPost = (before: Sql, after: Sql): Sql => sql`
  UPDATE posts SET score = posts.score + ${after} - ${before},
    up_score = up_score + greatest(${after}, 0) - greatest(${before}, 0),
    down_score = down_score + least(${after}, 0) - least(${before}, 0)
    FROM vote WHERE posts.id = vote.post_id`;

export const ON_POSTS: Subject<LockedPost> = {
  votes: "post_votes",
  key: "postId",
  lock: lockPostRow,
  check: (voter, post) => authorize(voter, mayVoteOnPost(voter, post)),
  scoring: scoringPost,
};

export const ON_COMMENTS: Subject<CommentRecord> = {
  votes: "comment_votes",
  key: "commentId",
  lock: async (db, id) => ((await lockRow(db, "comments", id)) ? comments.byId(db, id) : null),
  check(voter, comment, score) {
    if (score === 0) return; // the comment may be deleted by now
    authorize(voter, mayVoteOnComment(voter, comment));
    if (score > 0 && comment.creatorId === voter.id) throw invalid("score", "own_comment");
  },
  scoring: (before, after) => sql`
    UPDATE comments SET score = comments.score + ${after} - ${before} FROM vote WHERE comments.id = vote.comment_id`,
};

export class VoteService<On> {
  private readonly table: Sql;
  /** the column of the key */
  private readonly owner: Sql;
  private readonly columns: column.Columns;
  private readonly model: ReadModel<VoteRecord>;

  constructor(
    private readonly subject: Subject<On>,
    private readonly parts: ServiceParts,
  ) {
    const { votes, key } = subject;
    this.table = identifier(votes);
    this.owner = identifier(toSnake(key));
    this.columns = { ...columns, [key]: column.integer };
    this.model = new ReadModel<VoteRecord>(this.columns as typeof columns, sql`${this.table} AS t`);
  }

  /** The viewer's own votes, or everybody's for Admins. @throws BoardError 424 for too deep a page */
  search(viewer: Viewer, search: VoteSearch, request: PageRequest): Promise<Page<VoteRecord>> {
    const visible = maySeeVotes(viewer) ? sql`TRUE` : sql`t.user_id = ${viewer.id}::int`;
    return this.model.list(this.parts, { where: [visible, ...conditionsOf(filters, search)] }, request);
  }

  /** A user's votes on these records by id, 1 or -1; records without a vote are absent. */
  async castBy(userId: number, ids: readonly number[]): Promise<Map<number, number>> {
    const votes = await this.parts.database.byKeys(ids.length).query<{ id: number; score: number }>(sql`
      SELECT ${this.owner} AS id, score FROM ${this.table} WHERE user_id = ${userId} AND ${this.owner} = ANY(${[...ids]}::int[])`);
    return new Map(votes.map(({ id, score }) => [id, score]));
  }

  /** @throws BoardError 403, 404, 420 for a vote up on one's own comment, 423 when the viewer has voted already, either way */
  create(context: RequestContext, id: number, score: 1 | -1): Promise<VoteRecord> {
    const { subject } = this;
    const cast = (userId: number) => sql`
      INSERT INTO ${this.table} ${inserted({ [subject.key]: id, userId, score })}
      ON CONFLICT (${this.owner}, user_id) DO NOTHING RETURNING *`;
    return this.change(context, id, score, cast, subject.scoring(sql`0`, sql`vote.score`));
  }

  /**
   * Removes the viewer's vote, also from a deleted comment.
   * @returns the removed vote
   * @throws BoardError 403, 404 when there is nothing of this number, or no vote
   */
  delete(context: RequestContext, id: number): Promise<VoteRecord> {
    const takeBack = (userId: number) => sql`
      DELETE FROM ${this.table} WHERE ${this.owner} = ${id} AND user_id = ${userId} RETURNING *`;
    return this.change(context, id, 0, takeBack, this.subject.scoring(sql`vote.score`, sql`0`));
  }

  /**
   * Changes the viewer's vote.
   * @param score of a new vote; 0 to remove one
   * @param statement returns the added or removed vote, if any
   */
  private change(
    context: RequestContext,
    id: number,
    score: Score,
    statement: (userId: number) => Sql,
    scored: Sql,
  ): Promise<VoteRecord> {
    const voter = requireLevel(context.viewer);
    return this.parts.transact(async (db) => {
      const on = requireFound(await this.subject.lock(db, id));
      this.subject.check(voter, on, score);
      const [vote] = await db.commitWith<VoteRecord>(sql`
        WITH vote AS (${statement(voter.id)}), scored AS (${scored})
        SELECT ${column.selected(this.columns)} FROM vote AS t`);
      if (!vote) throw failure(score === 0 ? "not_found" : "already_voted");
      return vote;
    });
  }
}

/** Votes on a post, replacing an earlier vote of the user, in a transaction that has locked the post. */
export async function replaceVote(db: Db, postId: number, userId: number, score: 1 | -1): Promise<void> {
  await db.execute(sql`
    WITH earlier AS (SELECT score FROM post_votes WHERE post_id = ${postId} AND user_id = ${userId}), vote AS (
      INSERT INTO post_votes ${inserted({ postId, userId, score })}
      ON CONFLICT (post_id, user_id) DO UPDATE SET score = excluded.score, updated_at = now()
        WHERE post_votes.score <> excluded.score
      RETURNING *
    ) ${scoringPost(sql`COALESCE((SELECT score FROM earlier), 0)`, sql`vote.score`)}`);
}
