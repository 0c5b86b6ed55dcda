/** Votes on posts: one for each user and post, up or down. */
import type { RequestContext } from "../../context.js";
import { type Database, type Db, sql } from "../../database/client.js";
import type { Transact } from "../../database/transaction.js";
import { failure } from "../../errors.js";
import { mayVote } from "../posts/post.policy.js";
import { authorize, requireLevel } from "../shared/policy.js";
import { lockPost } from "../posts/post.records.js";

export interface PostVoteRecord {
  id: number;
  postId: number;
  userId: number;
  /** 1 or -1 */
  score: number;
  createdAt: Date;
  updatedAt: Date;
}

export class PostVoteService {
  constructor(
    private readonly transact: Transact,
    private readonly database: Database,
  ) {}

  /** How a user voted on these posts: 1 or -1 by post; those without a vote are absent. */
  async castBy(userId: number, postIds: readonly number[]): Promise<Map<number, number>> {
    const where = { userId, postId: { in: [...postIds] } };
    const votes = await this.database.postVote.findMany({ where, select: { postId: true, score: true } });
    return new Map(votes.map(({ postId, score }) => [postId, score]));
  }

  /**
   * Votes. Voting moves neither `updated_at` nor the versions of the post.
   * @throws BoardError 403, 404, 423 when the viewer has voted on the post already, either way
   */
  create(context: RequestContext, postId: number, score: 1 | -1): Promise<PostVoteRecord> {
    return this.onPost(context, postId, async (db, userId) => {
      if (await db.postVote.findUnique({ where: { postId_userId: { postId, userId } } }))
        throw failure("already_voted");
      const vote = await db.postVote.create({ data: { postId, userId, score } });
      await addScore(db, postId, score, 1);
      return vote;
    });
  }

  /**
   * Takes the viewer's vote back.
   * @returns the vote that was taken back
   * @throws BoardError 403, 404 when there is no post or no vote
   */
  delete(context: RequestContext, postId: number): Promise<PostVoteRecord> {
    return this.onPost(context, postId, async (db, userId) => {
      const key = { postId_userId: { postId, userId } };
      const vote = await db.postVote.findUnique({ where: key });
      if (!vote) throw failure("not_found");
      await db.postVote.delete({ where: key });
      await addScore(db, postId, vote.score, -1);
      return vote;
    });
  }

  private onPost<T>(context: RequestContext, postId: number, work: (db: Db, userId: number) => Promise<T>): Promise<T> {
    const voter = requireLevel(context.viewer);
    return this.transact(async (db) => {
      const post = await lockPost(db, postId);
      if (!post) throw failure("not_found");
      authorize(voter, mayVote(voter, post));
      return work(db, voter.id);
    });
  }
}

/**
 * Votes, in the place of another vote that the user may have given before, in a transaction that has locked the post.
 */
export async function replaceVote(db: Db, postId: number, userId: number, score: 1 | -1): Promise<void> {
  const key = { postId_userId: { postId, userId } };
  const before = await db.postVote.findUnique({ where: key });
  if (before?.score === score) return;
  if (before) await addScore(db, postId, before.score, -1);
  await db.postVote.upsert({ where: key, create: { postId, userId, score }, update: { score } });
  await addScore(db, postId, score, 1);
}

/** `up_score` sums the votes above zero, `down_score` (never positive) those below, `score` all of them. */
async function addScore(db: Db, postId: number, score: number, sign: 1 | -1): Promise<void> {
  const change = score * sign;
  await db.execute(sql`
    UPDATE posts SET score = score + ${change}::int,
      up_score = up_score + CASE WHEN ${score}::int > 0 THEN ${change}::int ELSE 0 END,
      down_score = down_score + CASE WHEN ${score}::int < 0 THEN ${change}::int ELSE 0 END
     WHERE id = ${postId}`);
}
