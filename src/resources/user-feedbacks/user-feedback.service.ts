/** Feedback about users, created by bans: public unless deleted. */
import { sql } from "../../database/client.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Filter, type Page, type SearchOf } from "../../search/listing.js";
import type { PageRequest } from "../shared/paging.js";
import * as column from "../shared/columns.js";
import { reading, ReadModel } from "../shared/read-model.js";

export type FeedbackCategory = "positive" | "neutral" | "negative";

const columns = {
  ...column.ofRecord,
  /** the user it is about */
  userId: column.integer,
  creatorId: column.integer,
  category: column.typed<FeedbackCategory>(sql`text`),
  body: column.text,
};
export type UserFeedbackRecord = column.RecordOf<typeof columns>;

const filters = {
  id: by.ids,
  ...by.user("user"),
  ...by.user("creator"),
  category: by.equals as Filter<FeedbackCategory>,
};

const feedbacks = new ReadModel(columns, sql`user_feedbacks AS t`);

const NOT_DELETED = sql`NOT t.is_deleted`;

export class UserFeedbackService extends reading(feedbacks, () => NOT_DELETED) {
  /** @throws BoardError 424 for too deep a page */
  search(search: SearchOf<typeof filters>, request: PageRequest): Promise<Page<UserFeedbackRecord>> {
    const where = [NOT_DELETED, ...conditionsOf(filters, search)];
    return feedbacks.list(this.parts, { where }, request);
  }
}
