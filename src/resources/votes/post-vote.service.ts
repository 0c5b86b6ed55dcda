/** Votes on posts: one for each user and post, up or down. */
import type { RequestContext } from "../../context.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { inserted } from "../../database/rows.js";
import { failure } from "../../errors.js";
import { mayVote } from "../posts/post.policy.js";
import { authorize, requireLevel } from "../shared/policy.js";
import { lockPostRow } from "../posts/post.records.js";
import type { ServiceParts } from "../shared/service.js";

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
  constructor(private readonly parts: ServiceParts) {}

  /** How a user voted on these posts: 1 or -1 by post; those without a vote are absent. */
  async castBy(userId: number, postIds: readonly number[]): Promise<Map<number, number>> {
    const where = { userId, postId: { in: [...postIds] } };
    const votes = await this.parts.database.postVote.findMany({ where, select: { postId: true, score: true } });
    return new Map(votes.map(({ postId, score }) => [postId, score]));
  }

  /**
   * Votes. Voting moves neither `updated_at` nor the versions of the post.
   * @throws BoardError 403, 404, 423 when the viewer has voted on the post already, either way
   */
  create(context: RequestContext, postId: number, score: 1 | -1): Promise<PostVoteRecord> {
    const cast = (userId: number) => sql`
      INSERT INTO post_votes ${inserted({ postId, userId, score })}
      ON CONFLICT (post_id, user_id) DO NOTHING RETURNING *`;
    return this.change(context, postId, cast, scoring(sql`0`, sql`vote.score`), "already_voted");
  }

  /**
   * Takes the viewer's vote back.
   * @returns the vote that was taken back
   * @throws BoardError 403, 404 when there is no post or no vote
   */
  delete(context: RequestContext, postId: number): Promise<PostVoteRecord> {
    const takeBack = (userId: number) => sql`
      DELETE FROM post_votes WHERE post_id = ${postId} AND user_id = ${userId} RETURNING *`;
    return this.change(context, postId, takeBack, scoring(sql`vote.score`, sql`0`), "not_found");
  }

  /**
   * Changes the viewer's vote.
   * @param statement returns the vote that comes or goes, if any
   * @param scored the statement that moves the post's scores with it
   * @param otherwise why there is none
   */
  private change(
    context: RequestContext,
    postId: number,
    statement: (userId: number) => Sql,
    scored: Sql,
    otherwise: "already_voted" | "not_found",
  ): Promise<PostVoteRecord> {
    const voter = requireLevel(context.viewer);
    return this.parts.transact(async (db) => {
      const post = await lockPostRow(db, postId);
      if (!post) throw failure("not_found");
      authorize(voter, mayVote(voter, post));
      const [vote] = await db.commitWith<PostVoteRecord>(sql`
        WITH vote AS (${statement(voter.id)}), scored AS (${scored})
        SELECT id, post_id AS "postId", user_id AS "userId", score::int, created_at AS "createdAt",
               updated_at AS "updatedAt" FROM vote`);
      if (!vote) throw failure(otherwise);
      return vote;
    });
  }
}

/**
 * Votes, in the place of another vote that the user may have given before, in a transaction that has locked the post.
 */
export async function replaceVote(db: Db, postId: number, userId: number, score: 1 | -1): Promise<void> {
  await db.execute(sql`
    WITH earlier AS (SELECT score FROM post_votes WHERE post_id = ${postId} AND user_id = ${userId}), vote AS (
      INSERT INTO post_votes ${inserted({ postId, userId, score })}
      ON CONFLICT (post_id, user_id) DO UPDATE SET score = excluded.score, updated_at = now()
        WHERE post_votes.score <> excluded.score
      RETURNING *
    ) ${scoring(sql`COALESCE((SELECT score FROM earlier), 0)`, sql`vote.score`)}`);
}

/**
 * A statement that moves the scores of the post of the row `vote`: `up_score` sums the votes above zero, `down_score` (never
 * positive) those below, `score` all of them.
 * @param before what the vote was, 0 for none
 * @param after what it is now
 */
const scoring = (before: Sql, after: Sql): Sql => sql`
  UPDATE posts SET score = posts.score + ${after} - ${before},
    up_score = up_score + greatest(${after}, 0) - greatest(${before}, 0),
    down_score = down_score + least(${after}, 0) - least(${before}, 0)
    FROM vote WHERE posts.id = vote.post_id`;
