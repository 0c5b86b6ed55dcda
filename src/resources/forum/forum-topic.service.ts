/** Topics of the forum. A topic has a first post and a minimum level to see it. */
import { Level } from "../../runtime/auth/levels.js";
import type { SignedIn, Viewer } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { failure, validate, requireText, requireFound } from "../../errors.js";
import * as policy from "./forum.policy.js";
import { authorize, requireLevel, requireRight } from "../shared/policy.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Filter, type Page, type SearchOf } from "../../search/listing.js";
import { checkBody, type ForumTopicRecord, lockTopic, logStaffAction, topics } from "./forum.records.js";
import type { EditOf } from "../shared/columns.js";
import type { PageRequest } from "../shared/paging.js";
import { differs } from "../shared/history.js";
import { reading } from "../shared/read-model.js";
import { checkText } from "../shared/texts.js";

const filters = {
  id: by.ids,
  titleMatches: by.on(sql`t.title`, by.words),
  title: by.equals as Filter<string>,
  categoryId: by.ids,
  ...by.user("creator"),
  isSticky: by.flag,
  isLocked: by.flag,
  isDeleted: by.flag,
};
export type ForumTopicSearch = SearchOf<typeof filters>;

/** An edit; absent fields stay unchanged. The last three are for Moderators. */
export type ForumTopicEdit = EditOf<TopicState>;

export interface NewForumTopic extends ForumTopicEdit {
  title: string;
  originalPostAttributes: { body: string };
}

type TopicState = Pick<ForumTopicRecord, "title" | "categoryId" | "isSticky" | "isLocked" | "minLevel">;

export const TOPICS_PER_PAGE = 40;

const TITLE_MAX = 255;
const LEVELS: ReadonlySet<number> = new Set(Object.values(Level));
const EMPTY: TopicState = { title: "", categoryId: 0, isSticky: false, isLocked: false, minLevel: 0 };

const visibleTo = (viewer: Viewer): Sql => sql`t.min_level <= ${policy.visibleLevel(viewer)}`;

export class ForumTopicService extends reading(topics, visibleTo) {
  /** Sticky ones first, then by the latest post. @throws BoardError 424 for too deep a page */
  search(viewer: Viewer, search: ForumTopicSearch, request: PageRequest): Promise<Page<ForumTopicRecord>> {
    const isDeleted = search.isDeleted ?? (policy.seesDeleted(viewer) ? null : false);
    const where = [visibleTo(viewer), ...conditionsOf(filters, { ...search, isDeleted })];
    const orderBy = sql`t.is_sticky DESC, t.updated_at DESC`;
    const page = { ...request, first: request.first ?? TOPICS_PER_PAGE };
    return topics.list(this.parts, { where, orderBy }, page);
  }

  /** Opens a topic with its first post. @throws BoardError 403, 420, 424 without title or text */
  create(context: RequestContext, input: NewForumTopic): Promise<ForumTopicRecord> {
    const creator = requireRight(context.viewer, policy.mayCreate);
    const { body } = input.originalPostAttributes;
    const state = edited(EMPTY, input);
    authorizeChange(creator, EMPTY, state);
    requireText("forum_topic[title]", input.title);
    requireText("forum_topic[original_post_attributes][body]", body);
    check(EMPTY, state, creator, body);
    return this.parts.transact(async (db) => {
      const users = { creatorId: creator.id, updaterId: creator.id };
      const now = new Date();
      const times = { createdAt: now, updatedAt: now };
      const { id } = await db.forumTopic.create({ data: { ...state, ...users, ...times, responseCount: 1 } });
      await db.forumPost.create({ data: { topicId: id, ...users, ...times, creatorIp: context.address, body } });
      return topics.get(db, id);
    });
  }

  /** @throws BoardError 403 (others' topics; fields for Moderators), 404 (also for hidden ones), 420, 422 (locked topic) */
  update(context: RequestContext, id: number, edit: ForumTopicEdit): Promise<ForumTopicRecord> {
    return this.change(context, id, async (db, topic, viewer) => {
      authorize(viewer, policy.mayEdit(viewer, topic));
      const after = edited(topic, edit);
      authorizeChange(viewer, topic, after);
      if (!policy.passesLock(viewer, topic)) throw failure("topic_locked");
      check(topic, after, viewer);
      if (!differs(topic, after)) return;
      await db.forumTopic.update({ where: { id }, data: { ...after, updaterId: viewer.id, updatedAt: new Date() } });
      await logStaffAction(db, viewer, { ...topic, ...after }, "ForumTopic", "update");
    });
  }

  /** Deletes a topic; its posts stay. @throws BoardError 403, 404, 422 (locked topic) */
  delete(context: RequestContext, id: number): Promise<ForumTopicRecord> {
    return this.change(context, id, async (db, topic, viewer) => {
      authorize(viewer, policy.mayDelete(viewer, topic));
      if (!policy.passesLock(viewer, topic)) throw failure("topic_locked");
      if (topic.isDeleted) return;
      await db.forumTopic.update({ where: { id }, data: { isDeleted: true, updaterId: viewer.id } });
      await logStaffAction(db, viewer, topic, "ForumTopic", "delete");
    });
  }

  /** @throws BoardError 403, 404 */
  undelete(context: RequestContext, id: number): Promise<ForumTopicRecord> {
    return this.change(context, id, async (db, topic, viewer) => {
      authorize(viewer, policy.mayUndelete(viewer, topic));
      if (!topic.isDeleted) return;
      await db.forumTopic.update({ where: { id }, data: { isDeleted: false, updaterId: viewer.id } });
      await logStaffAction(db, viewer, topic, "ForumTopic", "undelete");
    });
  }

  private change(
    { viewer }: RequestContext,
    id: number,
    work: (db: Db, topic: ForumTopicRecord, viewer: SignedIn) => Promise<void>,
  ): Promise<ForumTopicRecord> {
    const signedIn = requireLevel(viewer);
    return this.parts.transact(async (db) => {
      const topic = requireFound(await lockTopic(db, signedIn, id));
      await work(db, topic, signedIn);
      return topics.get(db, id);
    });
  }
}

const edited = (before: TopicState, edit: ForumTopicEdit): TopicState => ({
  title: edit.title?.trim() ?? before.title,
  categoryId: edit.categoryId ?? before.categoryId,
  isSticky: edit.isSticky ?? before.isSticky,
  isLocked: edit.isLocked ?? before.isLocked,
  minLevel: edit.minLevel ?? before.minLevel,
});

/** @throws BoardError 403 if only Moderators may do it */
function authorizeChange(viewer: Viewer, before: TopicState, after: TopicState): void {
  const moderated = ({ isSticky, isLocked, minLevel }: TopicState) => ({ isSticky, isLocked, minLevel });
  if (differs(moderated(before), moderated(after))) requireRight(viewer, policy.mayModerate);
}

/** A title from before may break the rules. @throws BoardError 420 */
const check = (before: TopicState, { title, minLevel }: TopicState, viewer: Viewer, body?: string): void =>
  validate((problems) => {
    if (title !== before.title) checkText(problems, "title", title, { most: TITLE_MAX, isRequired: true });
    if (!LEVELS.has(minLevel)) problems.add("min_level", "invalid");
    else if (!policy.maySeeTopic(viewer, { minLevel })) problems.add("min_level", "above_own_level");
    if (body !== undefined) checkBody(body, problems);
  });
