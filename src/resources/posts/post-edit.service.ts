/** Edits of posts: one at a time, several at once, and reverts. */
import type { RequestContext } from "../../context.js";
import { type Db, sql } from "../../database/client.js";
import { toBoardError } from "../../database/faults.js";
import { failure, requireFound } from "../../errors.js";
import { mayReplaceFile, mayUpdate } from "./post.policy.js";
import type { SignedIn } from "../../runtime/auth/viewer.js";
import type { Limiter } from "../../runtime/limits/limiter.js";
import { authorize, requireLevel } from "../shared/policy.js";
import { lockQuotas } from "../shared/quota.js";
import type { Rating } from "../../tagging/rating.js";
import { namesWritten } from "../../tagging/facts.js";
import { readTagString } from "../../tagging/tag-string.js";
import type { MediaIngest, PreparedMedia } from "../uploads/media-ingest.js";
import { isUnlimited } from "../uploads/upload.policy.js";
import { checkPendingFiles } from "../uploads/upload.quota.js";
import { applyTagActions, countActions, lockPoolsOf } from "./post.actions.js";
import { cleanSource, type PostChanges, writePostChanges } from "./post.edit.js";
import { lockFamily } from "./post.family.js";
import { type PostRecord, type PostRef, readPost, ROWS_PER_RECORD } from "./post.records.js";
import { postHistory } from "./post.versions.js";
import { isStill, lockForEdit } from "./post.write.js";
import { postsByIds, type PostServiceParts } from "./post.service.js";

/** What a client may send for a post; absent fields stay as they are, a null parent is cleared. */
export interface PostEdit {
  tagString?: string | null;
  /** the tags when the client began the edit, for a three-way merge */
  oldTagString?: string | null;
  rating?: Rating | null;
  oldRating?: Rating | null;
  source?: string | null;
  oldSource?: string | null;
  parentId?: number | null;
  oldParentId?: number | null;
  isNoteLocked?: boolean | null;
  isRatingLocked?: boolean | null;
  isStatusLocked?: boolean | null;
}

/** Maximum number of posts of one edit. */
export const MOST_EDITED = 100;

/** Why one of several posts was not edited. */
export interface EditRefusal {
  postId: number;
  code: string;
  reason: string;
}

export interface PostEditParts extends PostServiceParts {
  ingest: MediaIngest;
  limiter: Limiter;
}

export class PostEditService {
  constructor(private readonly parts: PostEditParts) {}

  /**
   * Edits tags, rating, source, parent and locks, in one transaction under a lock on the post's row, and records a
   * version if any of the first four changed.
   * @throws BoardError 403, 404, 420 (invalid tags, source or parent), 421 (actions in the tags), 422 (rating locked)
   */
  async update(context: RequestContext, id: number, edit: PostEdit): Promise<PostRecord> {
    requireLevel(context.viewer);
    const changes = await this.changesOf(context, id, edit);
    const { media } = changes;
    try {
      await countActions(this.parts, context, id, changes.submitted?.actions);
      const edited = await this.write(context, id, () => Promise.resolve(changes));
      if (media?.received.md5 === edited.md5) media.stored.length = 0; // the post names them
      return edited;
    } finally {
      if (media) await this.parts.ingest.discard(media);
    }
  }

  /** Prepares an edit: looks up everything that can be read before the post is locked. */
  private async changesOf(context: RequestContext, id: number, edit: PostEdit): Promise<PostChanges> {
    const changes = await this.readFor(context, id, () => toChanges(edit));
    if (changes.parentId === undefined && changes.source === undefined) return changes;
    const post = await this.editable(context, id);
    // many clients send the parent with every edit, so an unchanged one doesn't lock the family
    const parentId = changes.parentId === post.parentId ? undefined : changes.parentId;
    return { ...changes, parentId, media: await this.replacement(context, post, changes.source) };
  }

  /** @throws BoardError 403, 404 */
  private async editable(context: RequestContext, id: number): Promise<PostRecord> {
    const post = requireFound(await readPost(this.parts.database.byKeys(ROWS_PER_RECORD), id));
    authorize(context.viewer, mayUpdate(context.viewer, post));
    return post;
  }

  /** Only users who may edit the post get validation errors. */
  private async readFor<T>(context: RequestContext, id: number, read: () => T): Promise<T> {
    try {
      return read();
    } catch (error) {
      await this.editable(context, id);
      throw error;
    }
  }

  /**
   * Makes the same change to the tags of several posts, one after the other, each in a transaction of its own and by the rules
   * of `update`; a source is only stored as text. Each edit except the first, which the caller has counted, counts towards the hourly limit.
   * @returns the posts that were edited, and why others were not
   * @throws BoardError 420 for invalid tags, 424 for too many posts or none
   */
  async updateMany(
    context: RequestContext,
    postIds: readonly number[],
    tagChanges: string,
  ): Promise<{ posts: PostRef[]; refusals: EditRefusal[] }> {
    const { limiter } = this.parts;
    const { address } = context;
    const viewer = requireLevel(context.viewer);
    const ids = [...new Set(postIds)];
    if (ids.length > MOST_EDITED) throw failure("too_many_values", { parameter: "post_ids", limit: MOST_EDITED });
    if (ids.length === 0) throw failure("missing_parameter", { parameter: "post_ids" });
    if (tagChanges.trim() === "") throw failure("missing_parameter", { parameter: "tag_changes" });
    readTagString(tagChanges, "tag_changes");
    const changes = toChanges({ tagString: tagChanges, oldTagString: "" });
    const refusals: EditRefusal[] = [];
    for (const [index, id] of ids.entries()) {
      try {
        if (index > 0) await requireStill(this.parts.database, viewer);
        if (index > 0) await limiter.act("postEdit", viewer, address);
        await countActions(this.parts, context, id, changes.submitted?.actions);
        await this.write(context, id, () => Promise.resolve(changes));
      } catch (error) {
        const { code, reason } = toBoardError(error);
        if (code === "INTERNAL") throw error;
        refusals.push({ postId: id, code, reason });
      }
    }
    const edited = await postsByIds(this.parts, ids);
    const refused = new Set(refusals.map(({ postId }) => postId));
    return { posts: ids.flatMap((id) => (refused.has(id) ? [] : (edited.get(id) ?? []))), refusals };
  }

  /**
   * Reverts tags, rating, source and parent to a version, through the whole edit pipeline.
   * @throws BoardError 403, 404 (also for a version of another post), 422 (rating locked)
   */
  async revert(context: RequestContext, id: number, versionId: number): Promise<PostRecord> {
    requireLevel(context.viewer);
    return this.write(context, id, (db) => changesToVersion(db, id, versionId));
  }

  private async write(
    context: RequestContext,
    id: number,
    changes: (db: Db) => Promise<PostChanges>,
  ): Promise<PostRecord> {
    const { transact, config, ingest, database, tagCache } = this.parts;
    const edited = await transact(async (db) => {
      const wanted = await changes(db);
      const { submitted, seen } = wanted;
      const counted = await this.withinLimit(db, context, wanted.media);
      const pools = await lockPoolsOf(db, id, submitted?.actions);
      await lockFamily(db, id, { ...wanted, children: submitted?.actions?.children });
      const editable = requireFound(
        await lockForEdit(db, context, id, namesWritten(config.TAGS_PER_POST, submitted, seen), config),
      );
      authorize(context.viewer, mayUpdate(context.viewer, editable.post));
      tagCache.rememberTags(editable.facts.tags.values(), editable.post.tagGeneration); // the response contains their names
      const isLast = submitted?.actions === undefined;
      // the post may have been approved during the download
      const media = mayReplaceFile(context.viewer, editable.post) ? counted : undefined;
      const work = { db, context, config, ingest, isLast, isLimited: true, isNotified: true };
      const post = await writePostChanges(work, editable, { ...wanted, media });
      await applyTagActions(db, context, id, submitted?.actions, config, pools);
      return isLast ? post : null;
    });
    return edited ?? requireFound(await readPost(database.byKeys(ROWS_PER_RECORD), id)); // it may have been expunged since
  }

  /**
   * The file of an edit; none if concurrent ones have reached the daily limit. To be called before anything is locked.
   * @throws BoardError 403 as for `requireStill`
   */
  private async withinLimit(
    db: Db,
    { viewer }: RequestContext,
    media: PreparedMedia | undefined,
  ): Promise<PreparedMedia | undefined> {
    if (!media) return media;
    const uploader = requireLevel(viewer);
    await requireStill(db, uploader);
    if (isUnlimited(viewer)) return media;
    await lockQuotas(db, uploader.id);
    return checkPendingFiles(db, this.parts.config, uploader).then(
      () => media,
      (error: unknown) => {
        if (toBoardError(error).status !== 421) throw error;
        return undefined;
      },
    );
  }

  /**
   * The file at a new source URL, if the viewer may replace the post's file and the URL has another media file
   * that no post has. In all other cases (a page, an unreachable site, the same file, too many files that day) only the text is stored.
   * @throws BoardError 403 as for `requireStill`, 420 for an invalid source, 503 if the file can't be received now
   */
  private async replacement(
    context: RequestContext,
    post: PostRecord,
    source: string | undefined,
  ): Promise<PreparedMedia | undefined> {
    if (source === undefined) return undefined;
    const url = cleanSource(source); // before it is parsed, which takes long for a long one
    if (url === post.source || !/^https?:\/\//i.test(url) || !mayReplaceFile(context.viewer, post)) return undefined;
    const { database, config, ingest } = this.parts;
    const viewer = requireLevel(context.viewer);
    try {
      if (!isUnlimited(viewer)) await checkPendingFiles(database, config, viewer);
      return await ingest.downloadNew(url, context);
    } catch (error) {
      if (toBoardError(error).status === 503) throw error; // not the source's fault: a full disk, too many decodings
      await requireStill(database, viewer);
      context.log.info({ postId: post.id, err: error }, "source stored as text");
      return undefined;
    }
  }
}

/** To be called during work that takes long. @throws BoardError 403 for a user who was banned, closed or demoted since the request began */
async function requireStill(db: Db, viewer: SignedIn): Promise<void> {
  const found = await db.query<object>(sql`SELECT 1 FROM users WHERE id = ${viewer.id} AND ${isStill(viewer)}`);
  if (found.length === 0) throw failure("access_denied");
}

/**
 * The edit with its own meta-tags applied, which win over fields: forms send all fields with every edit. A field equal to the previous one
 * that the client sent is not a change.
 */
function toChanges(edit: PostEdit): PostChanges {
  const submitted = readTagString(edit.tagString, "tag_string");
  const parentId = edit.parentId === edit.oldParentId ? undefined : edit.parentId;
  return {
    submitted,
    seen: readTagString(edit.oldTagString, "old_tag_string"),
    rating: submitted?.rating ?? unlessSeen(edit.rating, edit.oldRating),
    source: submitted?.source ?? unlessSeen(edit.source, edit.oldSource),
    parentId: submitted?.parentId === undefined ? parentId : submitted.parentId,
    notParentId: submitted?.notParentId,
    locks: {
      note: submitted?.locks.note ?? edit.isNoteLocked ?? undefined,
      rating: submitted?.locks.rating ?? edit.isRatingLocked ?? undefined,
      status: submitted?.locks.status ?? edit.isStatusLocked ?? undefined,
    },
  };
}

const unlessSeen = <Text extends string>(
  value: Text | null | undefined,
  seen: Text | null | undefined,
): Text | undefined => (typeof value !== "string" || value === seen ? undefined : value);

/** Locks the family: a parent that is there stays until the transaction ends. */
async function changesToVersion(db: Db, postId: number, versionId: number): Promise<PostChanges> {
  const state = await postHistory.state(db, postId, versionId);
  await lockFamily(db, postId, state);
  const [parent] = await db.query<{ id: number }>(sql`SELECT id FROM posts WHERE id = ${state.parentId}::int`);
  const tags = await db.query<{ name: string }>(sql`SELECT name FROM tags WHERE id = ANY(${state.tagIds}::int[])`);
  const names = tags.map(({ name }) => name);
  return {
    submitted: { names, removed: [], categories: new Map(), locks: {}, isOfVersion: true },
    rating: state.rating,
    source: state.source,
    parentId: parent?.id ?? null,
    locks: {},
    isOwnVersion: true,
  };
}
