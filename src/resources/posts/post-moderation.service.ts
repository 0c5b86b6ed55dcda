/** Moderation of posts by staff, jobs and commands. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import type { Database, Db } from "../../database/client.js";
import { notify } from "../../runtime/events/events.js";
import type { Transact } from "../../database/transaction.js";
import { failure, invalid, requireFound } from "../../errors.js";
import { requireLevel } from "../shared/policy.js";
import * as policy from "./post.policy.js";
import type { Lock } from "../../tagging/tag-string.js";
import { type Actor, authorizeActor } from "../shared/actor.js";
import type { MediaIngest } from "../uploads/media-ingest.js";
import { expungePost, lockForExpunge, type PostListHistory } from "./post.expunge.js";
import { lockWithParent } from "./post.family.js";
import { moveFavorites } from "../favorites/post.favorites.js";
import { type PostRecord, readPost } from "./post.records.js";
import { approvePost, deletePost, logPostAction, setPostBan, setPostLocks, undeletePost } from "./post.states.js";

export interface PostModerationParts {
  database: Database;
  transact: Transact;
  ingest: MediaIngest;
  /** lists that may contain posts */
  lists: readonly PostListHistory[];
}

type Rule = (viewer: Viewer, post: PostRecord) => boolean;
type Work = (db: Db, post: PostRecord) => Promise<void>;

/** Each method returns the changed post, and throws a BoardError 403, or 404 for a post that does not exist. */
export class PostModerationService {
  constructor(private readonly parts: PostModerationParts) {}

  /** @throws BoardError 420 (active post), 422 (status-locked), 423 (approved by the same user before) */
  approve(actor: Actor, id: number): Promise<PostRecord> {
    return this.change(actor, id, policy.mayApprove, (db, post) => approvePost(db, actor, post));
  }

  /**
   * @param withFavorites whether its favorites are moved to the parent, if it has one
   * @throws BoardError 420 (reason, deleted before), 422 (status-locked)
   */
  delete(actor: Actor, id: number, reason: string, withFavorites = false): Promise<PostRecord> {
    return this.change(actor, id, policy.mayDelete, async (db, post) => {
      await deletePost(db, actor, post, reason);
      if (withFavorites && post.parentId !== null) await giveFavorites(db, actor, post, post.parentId);
    });
  }

  /** @throws BoardError 420 (not deleted), 422 (status-locked), 423 (approved by the same user before) */
  undelete(actor: Actor, id: number): Promise<PostRecord> {
    return this.change(actor, id, policy.mayUndelete, (db, post) => undeletePost(db, actor, post));
  }

  /** @throws BoardError 420 if it is banned */
  ban(actor: Actor, id: number): Promise<PostRecord> {
    return this.change(actor, id, policy.mayBan, (db, post) => setPostBan(db, actor, post, true));
  }

  /** @throws BoardError 420 if it is not banned */
  unban(actor: Actor, id: number): Promise<PostRecord> {
    return this.change(actor, id, policy.mayBan, (db, post) => setPostBan(db, actor, post, false));
  }

  /** Moves the post's favorites to its parent. @throws BoardError 420 if it has none */
  moveFavorites(actor: Actor, id: number): Promise<PostRecord> {
    return this.change(actor, id, policy.mayMoveFavorites, async (db, post) => {
      if (post.parentId === null) throw invalid("post", "no_parent");
      await giveFavorites(db, actor, post, post.parentId);
    });
  }

  /** Locks or unlocks what is named. @throws BoardError 424 if nothing is */
  async setLocks(actor: Actor, id: number, locks: readonly Lock[], isLocked: boolean): Promise<PostRecord> {
    const rule: Rule = (viewer) => locks.every((lock) => policy.mayLock(viewer, lock));
    authorizeActor(actor, (viewer) => policy.mayLock(viewer, "note"));
    if (locks.length === 0) throw failure("missing_parameter", { parameter: "locks" });
    return this.change(actor, id, rule, (db, post) => setPostLocks(db, actor, post, locks, isLocked));
  }

  /**
   * Removes a post for good. Its files are removed at once, and those that are left by a job of the transaction.
   * @returns the removed post
   * @throws BoardError 422 (status-locked)
   */
  async expunge(context: RequestContext, id: number): Promise<PostRecord> {
    const admin = requireLevel(context.viewer);
    const { lists, ingest } = this.parts;
    const { post, files } = await this.locked(
      context,
      id,
      policy.mayExpunge,
      async (db, found) => ({ post: found, files: await expungePost(db, context, admin, found, lists) }),
      (db) => lockForExpunge(db, id, lists),
    );
    for (const { md5, keys } of files) {
      await ingest
        .removeUnnamed(md5, keys)
        .catch((error: unknown) =>
          context.log.warn({ err: error, md5 }, "the file of an expunged post could not be removed; a job retries"),
        );
    }
    return post;
  }

  private async change(actor: Actor, id: number, rule: Rule, work: Work): Promise<PostRecord> {
    await this.locked(actor, id, rule, work);
    return requireFound(await readPost(this.parts.database, id)); // it may have been expunged since
  }

  private locked<T>(
    actor: Actor,
    id: number,
    rule: Rule,
    work: (db: Db, post: PostRecord) => Promise<T>,
    lock = (db: Db) => lockWithParent(db, id),
  ): Promise<T> {
    return this.parts.transact(async (db) => {
      const post = requireFound(await lock(db));
      authorizeActor(actor, (viewer) => rule(viewer, post));
      const done = await work(db, post);
      await notify(db, { type: "post_changed", id, about: id });
      return done;
    });
  }
}

/** Moves the favorites of a post to its parent, and logs it. */
async function giveFavorites(db: Db, actor: Actor, post: PostRecord, parentId: number): Promise<void> {
  const count = await moveFavorites(db, post.id, parentId);
  const done = `moved ${count} favorites of post #${post.id} to post #${parentId}`;
  await logPostAction(db, actor, "post_move_favorites", done, post);
}
