/** Lists of votes on posts and comments: the viewer's own, or everybody's for Admins. */
import { type Sql, sql } from "../../database/client.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import { maySeeVotes } from "../shared/privacy.policy.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Filter, type Page, type SearchOf } from "../../search/listing.js";
import type { CommentVoteRecord } from "./comment-vote.service.js";
import type { PageRequest } from "../shared/paging.js";
import type { PostVoteRecord } from "./post-vote.service.js";
import * as column from "../shared/columns.js";
import { ReadModel } from "../shared/read-model.js";
import type { ServiceParts } from "../shared/service.js";

const filters = {
  id: by.ids,
  userId: by.ids,
  userName: by.userNamed("user_id"),
  /** 1 or -1 */
  score: by.equals as Filter<number>,
};
const ofPosts = { ...filters, postId: by.ids };
const ofComments = { ...filters, commentId: by.ids };
export type PostVoteSearch = SearchOf<typeof ofPosts>;
export type CommentVoteSearch = SearchOf<typeof ofComments>;

const columns = {
  id: column.integer,
  userId: column.integer,
  score: column.integer,
  createdAt: column.time,
  updatedAt: column.time,
};
const postVotes = new ReadModel<PostVoteRecord>({ ...columns, postId: column.integer }, sql`post_votes AS t`);
const commentVotes = new ReadModel<CommentVoteRecord>(
  { ...columns, commentId: column.integer },
  sql`comment_votes AS t`,
);

const visibleTo = (viewer: Viewer): Sql => (maySeeVotes(viewer) ? sql`TRUE` : sql`t.user_id = ${viewer.id}::int`);

export class VoteSearchService {
  constructor(private readonly parts: ServiceParts) {}

  /** @throws BoardError 424 for too deep a page */
  onPosts(viewer: Viewer, search: PostVoteSearch, request: PageRequest): Promise<Page<PostVoteRecord>> {
    const where = [visibleTo(viewer), ...conditionsOf(ofPosts, search)];
    return postVotes.list(this.parts, { where }, request);
  }

  /** @throws BoardError 424 for too deep a page */
  onComments(viewer: Viewer, search: CommentVoteSearch, request: PageRequest): Promise<Page<CommentVoteRecord>> {
    const where = [visibleTo(viewer), ...conditionsOf(ofComments, search)];
    return commentVotes.list(this.parts, { where }, request);
  }
}
