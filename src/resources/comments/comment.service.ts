/** Comments on posts. Votes on them are in `votes/`. */
import type { RequestContext } from "../../context.js";
import type { SignedIn, Viewer } from "../../runtime/auth/viewer.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { lockKey, lockRow } from "../../database/lock.js";
import { invalid, validate, requireText } from "../../errors.js";
import { isUnlimited, mayCreate, mayDelete, mayMakeSticky, mayUndelete, mayUpdate } from "./comment.policy.js";
import { authorize, requireLevel } from "../shared/policy.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Page, type SearchOf } from "../../search/listing.js";
import { type CommentRecord, comments, insertComment, refreshCommentTimes } from "./comment.records.js";
import { recordModAction } from "../mod-actions/mod-action.js";
import type { PageRequest } from "../shared/paging.js";
import { reading } from "../shared/read-model.js";
import { differs } from "../shared/history.js";
import { checkQuota } from "../shared/quota.js";
import { listGroupedPosts, onPostWith } from "../posts/post.grouping.js";
import { notify } from "../../runtime/events/events.js";
import { lockPostRow, type PostRef } from "../posts/post.records.js";
import { checkText, readableTexts } from "../shared/texts.js";

const ORDERS = {
  id: undefined,
  id_asc: sql`t.id ASC`,
  post_id: sql`t.post_id DESC`,
  post_id_asc: sql`t.post_id ASC, t.id ASC`,
  score: sql`t.score DESC`,
  score_asc: sql`t.score ASC, t.id ASC`,
  updated_at: sql`t.updated_at DESC`,
  updated_at_asc: sql`t.updated_at ASC, t.id ASC`,
};

const filters = {
  id: by.ids,
  postId: by.ids,
  ...by.user("creator"),
  bodyMatches: by.on(sql`t.body`, by.words),
  isDeleted: by.flag,
  isSticky: by.flag,
  doNotBumpPost: by.flag,
};

export interface CommentSearch extends SearchOf<typeof filters> {
  /** tags of the post; no meta-tags */
  postTagsMatch?: string | null;
  order?: keyof typeof ORDERS | null;
}

/** An edit; absent fields except the body stay unchanged. */
export interface CommentEdit {
  body: string;
  doNotBumpPost?: boolean | null;
  isSticky?: boolean | null;
}

const BODY_MAX = 15_000;

type Changes = Partial<Pick<CommentRecord, "body" | "doNotBumpPost" | "isSticky" | "isDeleted">>;

export class CommentService extends reading(comments) {
  /** Deleted comments are listed too, unless the search says otherwise. @throws BoardError 424 for too many tags or too deep a page */
  async search(viewer: Viewer, search: CommentSearch, request: PageRequest): Promise<Page<CommentRecord>> {
    const orderBy = ORDERS[search.order ?? "id"];
    return comments.list(this.parts, { where: await this.conditions(viewer, search), orderBy }, request);
  }

  /**
   * The posts with comments found by the search, those bumped last first.
   * @param tags tags of the posts; no meta-tags
   * @throws BoardError 424 for too many tags or too deep a page
   */
  async searchPosts(
    viewer: Viewer,
    search: CommentSearch,
    tags: string | null,
    request: PageRequest,
  ): Promise<Page<PostRef>> {
    const { postTagsMatch, ...rest } = search;
    const where = await this.conditions(viewer, rest);
    return listGroupedPosts(this.parts, { of: "comments", where, tags: [tags, postTagsMatch] }, request);
  }

  /** The newest comments of each post, oldest first. @param limit maximum number for one post */
  async newestOfPosts(postIds: readonly number[], limit: number): Promise<CommentRecord[]> {
    const db = this.parts.database.byKeys(postIds.length * limit);
    return (await comments.newestOfEach(db, sql`t.post_id`, postIds, limit)).toReversed();
  }

  /** @throws BoardError 403, 420 (post, body), 421 for too many an hour, 424 without a text */
  create(context: RequestContext, input: CommentEdit & { postId: number }): Promise<CommentRecord> {
    const creator = requireLevel(context.viewer);
    authorize(creator, mayCreate(creator) && (!input.isSticky || mayMakeSticky(creator)));
    const { body, postId } = input;
    checkBody(body);
    return this.parts.transact(async (db) => {
      await this.checkLimit(db, creator);
      if (!(await lockPostRow(db, postId))) throw invalid("post", "does_not_exist");
      const flags = { doNotBumpPost: input.doNotBumpPost ?? false, isSticky: input.isSticky ?? false };
      const comment = { postId, body, ...flags, creatorId: creator.id, creatorIp: context.address };
      const made = await insertComment(db, comment);
      await notify(db, { type: "comment_created", id: made.id, about: postId });
      return made;
    });
  }

  /** Edits never bump the post. @throws BoardError 403, 404, 420 (body), 424 without a text */
  update(context: RequestContext, id: number, edit: CommentEdit): Promise<CommentRecord> {
    return this.change(context, id, "update", (comment, { viewer }) => {
      authorize(viewer, mayUpdate(viewer, comment));
      checkBody(edit.body);
      const isSticky = edit.isSticky ?? comment.isSticky;
      authorize(viewer, isSticky === comment.isSticky || mayMakeSticky(viewer));
      return { body: edit.body, isSticky, doNotBumpPost: edit.doNotBumpPost ?? comment.doNotBumpPost };
    });
  }

  /** Deletes softly; a comment that is deleted already stays as it is. @throws BoardError 403, 404 */
  delete(context: RequestContext, id: number): Promise<CommentRecord> {
    return this.change(context, id, "delete", (comment, { viewer }) => {
      authorize(viewer, mayDelete(viewer, comment));
      return { isDeleted: true };
    });
  }

  /** @throws BoardError 403, 404 */
  undelete(context: RequestContext, id: number): Promise<CommentRecord> {
    return this.change(context, id, "undelete", (comment, { viewer }) => {
      authorize(viewer, mayUndelete(viewer, comment));
      return { isDeleted: false };
    });
  }

  private async conditions(viewer: Viewer, search: CommentSearch): Promise<Sql[]> {
    const where = conditionsOf(filters, search);
    return [
      ...where,
      ...readableTexts(viewer, search.bodyMatches),
      ...(await onPostWith(this.parts, sql`t.post_id`, search.postTagsMatch, where.length === 0)),
    ];
  }

  private change(
    context: RequestContext,
    id: number,
    action: "update" | "delete" | "undelete",
    edit: (comment: CommentRecord, context: RequestContext) => Changes,
  ): Promise<CommentRecord> {
    const updater = requireLevel(context.viewer);
    return this.parts.transact(async (db) => {
      const comment = await lockComment(db, id);
      const changes = edit(comment, context);
      if (!differs(comment, changes)) return comment;
      const edited = { updaterId: updater.id, updaterIp: context.address, updatedAt: new Date() };
      await db.comment.update({ where: { id }, data: { ...changes, ...edited } });
      if (changes.isDeleted !== undefined) await refreshCommentTimes(db, comment.postId);
      if (comment.creatorId !== updater.id) {
        const subject = { type: "Comment", id };
        await recordModAction(db, updater, `comment_${action}`, `${action}d comment #${id}`, subject);
      }
      return comments.get(db, id);
    });
  }

  /**
   * Limits the comments per hour of users below Gold, including deleted ones. A user's new comments are serialized, so that
   * concurrent ones can't exceed the limit.
   * @throws BoardError 421
   */
  private async checkLimit(db: Db, creator: SignedIn): Promise<void> {
    if (isUnlimited(creator)) return;
    await lockKey(db, "comments", sql`${creator.id}`);
    const written = sql`SELECT created_at FROM comments WHERE creator_id = ${creator.id}`;
    const limit = this.parts.config.COMMENTS_PER_HOUR;
    await checkQuota(db, written, { limit, within: "hour", otherwise: "comment_limit" });
  }
}

/** Locks the post first, as for a new comment. @throws BoardError 404 */
async function lockComment(db: Db, id: number): Promise<CommentRecord> {
  const { postId } = await comments.get(db, id);
  await lockPostRow(db, postId);
  await lockRow(db, "comments", id);
  return comments.get(db, id);
}

/** @throws BoardError 420, 424 for a blank text */
function checkBody(body: string): void {
  requireText("comment[body]", body);
  validate((problems) => checkText(problems, "body", body, { most: BODY_MAX }));
}
