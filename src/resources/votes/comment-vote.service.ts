/** Votes on comments: one for each user and comment, up or down. */
import type { RequestContext } from "../../context.js";
import { type Db, sql } from "../../database/client.js";
import { lockRow } from "../../database/lock.js";
import { failure, invalid } from "../../errors.js";
import { mayVote } from "../comments/comment.policy.js";
import { authorize, requireLevel } from "../shared/policy.js";
import { type CommentRecord, comments } from "../comments/comment.records.js";
import type { ServiceParts } from "../shared/service.js";

export interface CommentVoteRecord {
  id: number;
  commentId: number;
  userId: number;
  /** 1 or -1 */
  score: number;
  createdAt: Date;
  updatedAt: Date;
}

export class CommentVoteService {
  constructor(private readonly parts: ServiceParts) {}

  /** How a user voted on these comments: 1 or -1 by comment; those without a vote are absent. */
  async castBy(userId: number, commentIds: readonly number[]): Promise<Map<number, number>> {
    const where = { userId, commentId: { in: [...commentIds] } };
    const votes = await this.parts.database.commentVote.findMany({ where, select: { commentId: true, score: true } });
    return new Map(votes.map(({ commentId, score }) => [commentId, score]));
  }

  /**
   * Votes. Voting does not move `updated_at`.
   * @throws BoardError 403 (a deleted comment too), 404, 420 for a vote up on the own comment, 423 when the viewer has voted already
   */
  create(context: RequestContext, commentId: number, score: 1 | -1): Promise<CommentVoteRecord> {
    return this.onComment(context, commentId, async (db, comment, userId) => {
      authorize(context.viewer, mayVote(context.viewer, comment));
      if (score > 0 && comment.creatorId === userId) throw invalid("score", "own_comment");
      const key = { commentId_userId: { commentId, userId } };
      if (await db.commentVote.findUnique({ where: key })) throw failure("already_voted");
      const vote = await db.commentVote.create({ data: { commentId, userId, score } });
      await addScore(db, commentId, score);
      return vote;
    });
  }

  /**
   * Takes the viewer's vote back, of a deleted comment too.
   * @returns the vote that was taken back
   * @throws BoardError 403, 404 when there is no comment or no vote
   */
  delete(context: RequestContext, commentId: number): Promise<CommentVoteRecord> {
    return this.onComment(context, commentId, async (db, _comment, userId) => {
      const key = { commentId_userId: { commentId, userId } };
      const vote = await db.commentVote.findUnique({ where: key });
      if (!vote) throw failure("not_found");
      await db.commentVote.delete({ where: key });
      await addScore(db, commentId, -vote.score);
      return vote;
    });
  }

  private onComment<T>(
    context: RequestContext,
    commentId: number,
    work: (db: Db, comment: CommentRecord, userId: number) => Promise<T>,
  ): Promise<T> {
    const voter = requireLevel(context.viewer);
    return this.parts.transact(async (db) => {
      const comment = (await lockRow(db, "comments", commentId)) ? await comments.byId(db, commentId) : null;
      if (!comment) throw failure("not_found");
      return work(db, comment, voter.id);
    });
  }
}

const addScore = (db: Db, commentId: number, change: number): Promise<number> =>
  db.execute(sql`UPDATE comments SET score = score + ${change}::int WHERE id = ${commentId}`);
