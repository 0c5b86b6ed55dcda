/** Forum posts. They are visible to everybody who can see their topic, and update its time, updater and number of posts. */
import type { SignedIn, Viewer } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { lockRow } from "../../database/lock.js";
import { failure, invalid, validate, requireText, requireFound } from "../../errors.js";
import * as policy from "./forum.policy.js";
import { authorize, requireLevel, requireRight } from "../shared/policy.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Page, type SearchOf } from "../../search/listing.js";
import {
  checkBody,
  type ForumPostRecord,
  forumPosts,
  type ForumTopicRecord,
  lockTopic,
  logStaffAction,
} from "./forum.records.js";
import type { PageRequest } from "../shared/paging.js";
import { reading } from "../shared/read-model.js";
import { readableTexts } from "../shared/texts.js";

const filters = {
  id: by.ids,
  ...by.user("creator"),
  topicId: by.ids,
  topicTitleMatches: by.on(sql`topic.title`, by.words),
  topicCategoryId: by.on(sql`topic.category_id`, by.ids),
  bodyMatches: by.on(sql`t.body`, by.words),
  isDeleted: by.flag,
};
export type ForumPostSearch = SearchOf<typeof filters>;

/** A post to be changed and its topic, both locked. */
interface Locked {
  post: ForumPostRecord;
  topic: ForumTopicRecord;
  viewer: SignedIn;
}

/** Those whose topics the viewer may see. */
const visibleTo = (viewer: Viewer): Sql => sql`topic.min_level <= ${policy.visibleLevel(viewer)}`;

export class ForumPostService extends reading(forumPosts, visibleTo) {
  /** Newest first. @throws BoardError 424 for too deep a page */
  search(viewer: Viewer, search: ForumPostSearch, request: PageRequest): Promise<Page<ForumPostRecord>> {
    const isDeleted = search.isDeleted ?? (policy.seesDeleted(viewer) ? null : false);
    const where = [
      visibleTo(viewer),
      ...conditionsOf(filters, { ...search, isDeleted }),
      ...readableTexts(viewer, search.bodyMatches),
    ];
    return forumPosts.list(this.parts, { where }, request);
  }

  /** The first posts of each topic, oldest first, as a list would show them to the viewer; at most `limit` of each. */
  firstOfTopics(viewer: Viewer, topicIds: readonly number[], limit: number): Promise<ForumPostRecord[]> {
    const shown = policy.seesDeleted(viewer) ? sql`TRUE` : sql`NOT t.is_deleted`;
    const condition = sql`${visibleTo(viewer)} AND ${shown}`;
    return forumPosts.oldestOfEach(this.parts.database, sql`t.topic_id`, topicIds, limit, condition);
  }

  /** Answers in a topic. @throws BoardError 403, 420 (topic, text), 422 (locked topic), 424 without text */
  create(context: RequestContext, { topicId, body }: { topicId: number; body: string }): Promise<ForumPostRecord> {
    const creator = requireRight(context.viewer, policy.mayCreate);
    requireText("forum_post[body]", body);
    check(body);
    return this.parts.transact(async (db) => {
      const topic = await lockTopic(db, creator, topicId);
      if (!topic) throw invalid("topic", "does_not_exist");
      if (!policy.passesLock(creator, topic)) throw failure("topic_locked");
      const now = new Date();
      const users = { creatorId: creator.id, updaterId: creator.id, creatorIp: context.address };
      const { id } = await db.forumPost.create({ data: { topicId, body, ...users, createdAt: now, updatedAt: now } });
      const data = { responseCount: { increment: 1 }, updatedAt: now, updaterId: creator.id };
      await db.forumTopic.update({ where: { id: topicId }, data });
      return forumPosts.get(db, id);
    });
  }

  /** @throws BoardError 403, 404 (in hidden topics too), 420, 422 (locked topic) */
  update(context: RequestContext, id: number, edit: { body?: string | null }): Promise<ForumPostRecord> {
    return this.change(context, id, async (db, { post, topic, viewer }) => {
      authorize(viewer, policy.mayEdit(viewer, post));
      if (!policy.passesLock(viewer, topic)) throw failure("topic_locked");
      const body = edit.body ?? post.body;
      check(body);
      if (body === post.body) return;
      const now = { updatedAt: new Date(), updaterId: viewer.id };
      await db.forumPost.update({ where: { id }, data: { body, ...now } });
      if (await isFirst(db, post)) await db.forumTopic.update({ where: { id: topic.id }, data: now });
      await logStaffAction(db, viewer, { ...post, minLevel: topic.minLevel }, "ForumPost", "update");
    });
  }

  /** Deletes a post; with the first one its topic. @throws BoardError 403, 404, 422 (locked topic) */
  delete(context: RequestContext, id: number): Promise<ForumPostRecord> {
    return this.change(context, id, async (db, { post, topic, viewer }) => {
      authorize(viewer, policy.mayDelete(viewer, post));
      if (!policy.passesLock(viewer, topic)) throw failure("topic_locked");
      if (post.isDeleted) return;
      await db.forumPost.update({ where: { id }, data: { isDeleted: true, updaterId: viewer.id } });
      await backToLatest(db, topic.id);
      if (await isFirst(db, post)) await db.forumTopic.update({ where: { id: topic.id }, data: { isDeleted: true } });
      await logStaffAction(db, viewer, { ...post, minLevel: topic.minLevel }, "ForumPost", "delete");
    });
  }

  /** Undeletes a post, but not its topic. @throws BoardError 403, 404 */
  undelete(context: RequestContext, id: number): Promise<ForumPostRecord> {
    return this.change(context, id, async (db, { post, topic, viewer }) => {
      authorize(viewer, policy.mayUndelete(viewer, post));
      if (!post.isDeleted) return;
      const now = { updatedAt: new Date(), updaterId: viewer.id };
      await db.forumPost.update({ where: { id }, data: { isDeleted: false, ...now } });
      await db.forumTopic.update({ where: { id: topic.id }, data: now });
      await logStaffAction(db, viewer, { ...post, minLevel: topic.minLevel }, "ForumPost", "undelete");
    });
  }

  private change(
    context: RequestContext,
    id: number,
    work: (db: Db, locked: Locked) => Promise<void>,
  ): Promise<ForumPostRecord> {
    const viewer = requireLevel(context.viewer);
    return this.parts.transact(async (db) => {
      const found = await forumPosts.byId(db, id);
      if (!found || !policy.maySeeTopic(viewer, found.inTopic)) throw failure("not_found");
      const topic = requireFound(await lockTopic(db, viewer, found.topicId));
      const post = requireFound((await lockRow(db, "forum_posts", id)) && (await forumPosts.byId(db, id)));
      await work(db, { post, topic, viewer });
      return forumPosts.get(db, id);
    });
  }
}

/** @throws BoardError 420 */
const check = (body: string): void => validate((problems) => checkBody(body, problems));

async function isFirst(db: Db, { id, topicId }: ForumPostRecord): Promise<boolean> {
  return (await db.forumPost.count({ where: { topicId, id: { lt: id } }, take: 1 })) === 0;
}

/** Sets the topic's time and updater to those of the newest remaining post, if there is one. */
async function backToLatest(db: Db, topicId: number): Promise<void> {
  const where = { topicId, isDeleted: false };
  const latest = await db.forumPost.findFirst({ where, orderBy: [{ updatedAt: "desc" }, { id: "desc" }] });
  if (!latest) return;
  const { updatedAt, updaterId } = latest;
  await db.forumTopic.update({ where: { id: topicId }, data: { updatedAt, updaterId } });
}
