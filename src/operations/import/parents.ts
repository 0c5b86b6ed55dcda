/** Links posts to parents that were imported after them. */
import { sql } from "../../database/client.js";
import { BoardError } from "../../errors.js";
import { oneByOne } from "../../lib/in-batches.js";
import { writeParent } from "../../resources/posts/post.edit.js";
import { lockFamily } from "../../resources/posts/post.family.js";
import { lockPost } from "../../resources/posts/post.records.js";
import { reasonOf, type Work } from "./importer.js";
import type { Orphan } from "./ledger.js";

const BATCH = 500;

/**
 * Sets the parents of all posts whose parent has been imported since, each in one transaction.
 * @param isStopping checked before each post
 * @returns the number of linked posts
 */
export async function linkParents(work: Work, isStopping: () => boolean): Promise<number> {
  let linked = 0;
  for await (const orphan of oneByOne((after) => work.ledger.orphans(after, BATCH))) {
    if (isStopping()) return linked;
    if (await link(work, orphan)) linked += 1;
  }
  return linked;
}

/** A parent that would create a cycle is reported and ignored. */
async function link(work: Work, orphan: Orphan): Promise<boolean> {
  try {
    return await write(work, orphan);
  } catch (error) {
    if (!(error instanceof BoardError)) throw error;
    work.remark("posts", orphan.id, `left out the parent: ${reasonOf(error)}`);
    await work.transact((db) => work.ledger.settle(db, orphan.id));
    return false;
  }
}

/** Changes nothing if the post no longer exists or has got another parent. */
function write({ transact, ledger, context, config }: Work, orphan: Orphan): Promise<boolean> {
  return transact(async (db) => {
    await lockFamily(db, orphan.postId, { parentId: orphan.parentId });
    const post = await lockPost(db, orphan.postId);
    await ledger.settle(db, orphan.id);
    if (!post || post.parentId !== null) return false;
    await writeParent(db, context, post, orphan.parentId, config);
    await db.execute(sql`UPDATE posts SET updated_at = ${post.updatedAt} WHERE id = ${post.id}`);
    return true;
  });
}
