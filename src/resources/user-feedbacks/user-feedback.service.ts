/** Feedback about users, which bans leave: public, but for what was deleted. */
import type { Config } from "../../config.js";
import { type Database, sql } from "../../database/client.js";
import { Filters, type Page } from "../../search/listing.js";
import type { PageRequest } from "../shared/paging.js";
import { ReadModel } from "../shared/read-model.js";

export type FeedbackCategory = "positive" | "neutral" | "negative";

export interface UserFeedbackRecord {
  id: number;
  /** whom it is about */
  userId: number;
  creatorId: number;
  category: FeedbackCategory;
  body: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface UserFeedbackSearch {
  id?: number[] | null;
  userId?: number[] | null;
  userName?: string | null;
  creatorId?: number[] | null;
  creatorName?: string | null;
  category?: FeedbackCategory | null;
}

const feedbacks = new ReadModel<UserFeedbackRecord>(
  sql`t.id, t.user_id AS "userId", t.creator_id AS "creatorId", t.category, t.body, t.created_at AS "createdAt",
  t.updated_at AS "updatedAt"`,
  sql`user_feedbacks AS t`,
);

const NOT_DELETED = sql`NOT t.is_deleted`;

export class UserFeedbackService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** @throws BoardError 424 for too deep a page */
  search(search: UserFeedbackSearch, request: PageRequest): Promise<Page<UserFeedbackRecord>> {
    const filters = new Filters()
      .add(NOT_DELETED)
      .ids(sql`t.id`, search.id)
      .ids(sql`t.user_id`, search.userId)
      .userName(sql`t.user_id`, search.userName)
      .ids(sql`t.creator_id`, search.creatorId)
      .userName(sql`t.creator_id`, search.creatorName)
      .equals(sql`t.category`, search.category);
    return feedbacks.list(this.database, { where: filters.conditions }, request, this.config);
  }

  byId(id: number): Promise<UserFeedbackRecord | null> {
    return feedbacks.find(this.database, sql`t.id = ${id} AND ${NOT_DELETED}`);
  }
}
