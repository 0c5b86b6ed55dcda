/** Listing votes on posts and comments: one's own; Admins see everybody's. */
import type { Config } from "../../config.js";
import { type Database, type Sql, sql } from "../../database/client.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import { maySeeVotes } from "../shared/privacy.policy.js";
import { Filters, type Page } from "../../search/listing.js";
import type { CommentVoteRecord } from "./comment-vote.service.js";
import type { PageRequest } from "../shared/paging.js";
import type { PostVoteRecord } from "./post-vote.service.js";
import { ReadModel } from "../shared/read-model.js";

export interface VoteSearch {
  id?: number[] | null;
  userId?: number[] | null;
  userName?: string | null;
  /** 1 or -1 */
  score?: number | null;
}
export type PostVoteSearch = VoteSearch & { postId?: number[] | null };
export type CommentVoteSearch = VoteSearch & { commentId?: number[] | null };

const COLUMNS = sql`t.id, t.user_id AS "userId", t.score, t.created_at AS "createdAt", t.updated_at AS "updatedAt"`;
const postVotes = new ReadModel<PostVoteRecord>(sql`${COLUMNS}, t.post_id AS "postId"`, sql`post_votes AS t`);
const commentVotes = new ReadModel<CommentVoteRecord>(
  sql`${COLUMNS}, t.comment_id AS "commentId"`,
  sql`comment_votes AS t`,
);

/** What a viewer may see of those that the search means. */
const filtersOf = (viewer: Viewer, search: VoteSearch): Filters =>
  new Filters()
    .add(visibleTo(viewer))
    .ids(sql`t.id`, search.id)
    .ids(sql`t.user_id`, search.userId)
    .userName(sql`t.user_id`, search.userName)
    .equals(sql`t.score`, search.score);

const visibleTo = (viewer: Viewer): Sql | null =>
  maySeeVotes(viewer, undefined) ? null : sql`t.user_id = ${viewer.id}::int`;

export class VoteSearchService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** @throws BoardError 424 for too deep a page */
  onPosts(viewer: Viewer, search: PostVoteSearch, request: PageRequest): Promise<Page<PostVoteRecord>> {
    const where = filtersOf(viewer, search).ids(sql`t.post_id`, search.postId).conditions;
    return postVotes.list(this.database, { where }, request, this.config);
  }

  /** @throws BoardError 424 for too deep a page */
  onComments(viewer: Viewer, search: CommentVoteSearch, request: PageRequest): Promise<Page<CommentVoteRecord>> {
    const where = filtersOf(viewer, search).ids(sql`t.comment_id`, search.commentId).conditions;
    return commentVotes.list(this.database, { where }, request, this.config);
  }
}
