/** Makes the post of an upload, inside its transaction: row, tags, counts, first version, the parent's flags. */
import type { SignedIn } from "../../runtime/auth/viewer.js";
import type { Config } from "../../config.js";
import type { RequestContext } from "../../context.js";
import { type Db, sql } from "../../database/client.js";
import { notify } from "../../runtime/events/events.js";
import { mayLock } from "./post.policy.js";
import { resolveTagEdit } from "../../tagging/edit.js";
import type { Rating } from "../../tagging/rating.js";
import { changeTags, findOrCreateTags } from "../../tagging/store.js";
import type { ParsedTagString } from "../../tagging/tag-string.js";
import type { StoredMedia } from "../uploads/media-intake.js";
import { applyTagActions } from "./post.actions.js";
import { checkParent, fileColumns, pixivId, refreshParents, tagCounts } from "./post.edit.js";
import { type PostState, postHistory } from "./post.versions.js";

export interface NewPost {
  file: StoredMedia;
  tags: ParsedTagString;
  rating: Rating;
  source: string;
  parentId: number | null;
  isPending: boolean;
  /** a number that is not taken; the next one by default */
  id?: number | undefined;
}

/**
 * @returns the post's id
 * @throws BoardError 420 for invalid tags or a parent that does not exist
 */
export async function createPost(
  db: Db,
  context: RequestContext,
  uploader: SignedIn,
  post: NewPost,
  config: Config,
): Promise<number> {
  if (post.parentId !== null) await checkParent(db, null, post.parentId);
  const edit = { current: [], submitted: post.tags, file: post.file };
  const names = await resolveTagEdit(db, edit, config.TAGS_PER_POST);
  const created = await findOrCreateTags(db, names, post.tags.categories);
  const tags = await changeTags(db, { had: [], tags: created, categories: post.tags.categories }, uploader);
  const state: PostState = {
    tagIds: tags.map((tag) => tag.id).sort((a, b) => a - b),
    rating: post.rating,
    source: post.source,
    parentId: post.parentId,
    mediaFileId: post.file.id,
  };
  const { locks } = post.tags;
  const { id } = await db.post.create({
    data: {
      ...(post.id === undefined ? {} : { id: post.id }),
      ...state,
      ...fileColumns(post.file),
      ...tagCounts(tags),
      uploaderId: uploader.id,
      uploaderIp: context.address,
      pixivId: pixivId(post.source),
      isPending: post.isPending,
      isNoteLocked: locks.note === true && mayLock(uploader, "note"),
      isRatingLocked: locks.rating === true && mayLock(uploader, "rating"),
      isStatusLocked: locks.status === true && mayLock(uploader, "status"),
    },
    select: { id: true },
  });
  await refreshParents(db, [post.parentId]);
  await postHistory.record(db, context, config, { id, before: null, after: state });
  await db.execute(sql`
    UPDATE users SET post_upload_count = post_upload_count + 1, post_update_count = post_update_count + 1
     WHERE id = ${uploader.id}`);
  await applyTagActions(db, context, id, post.tags.actions, config);
  await notify(db, { type: "post_created", id, about: id });
  return id;
}
