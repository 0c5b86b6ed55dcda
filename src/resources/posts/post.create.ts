/** Creates the post of an upload, within its transaction: row, tags, counts, first version, the parent's flags. */
import type { SignedIn } from "../../runtime/auth/viewer.js";
import type { Config } from "../../config.js";
import type { RequestContext } from "../../context.js";
import type { Db } from "../../database/client.js";
import { failure } from "../../errors.js";
import { notify } from "../../runtime/events/events.js";
import { countRows } from "../../runtime/limits/bulk.js";
import { resolveTagEdit } from "../../tagging/edit.js";
import type { Rating } from "../../tagging/rating.js";
import { namesWritten, readTagFacts } from "../../tagging/facts.js";
import { missingTags, tagsNamed } from "../../tagging/store.js";
import type { ParsedTagString } from "../../tagging/tag-string.js";
import type { StoredMedia } from "../uploads/media-ingest.js";
import { applyTagActions } from "./post.actions.js";
import { fileColumns, nextTags, permittedLocks, pixivId } from "./post.edit.js";
import { checkParent, refreshParents } from "./post.family.js";
import { logLocks } from "./post.states.js";
import type { PostState } from "./post.versions.js";
import { creatingPost } from "./post.write.js";

export interface NewPost {
  file: StoredMedia;
  tags: ParsedTagString;
  rating: Rating;
  source: string;
  parentId: number | null;
  isPending: boolean;
  /** pools to which the tags add it, locked by `lockPoolsOf` */
  pools?: Set<number>;
  /** whether the tags that it creates count towards the limit of its uploader, who must not be banned, closed or demoted by now */
  isLimited?: boolean;
  /** an unused id; by default the next one */
  id?: number | undefined;
}

const UNLOCKED = { isNoteLocked: false, isRatingLocked: false, isStatusLocked: false };

/**
 * @returns the post's id
 * @throws BoardError 403 for an uploader who was banned, closed or demoted meanwhile, 420 for invalid tags or a parent that does not exist, 421 for too many new tags
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
  const facts = await readTagFacts(db, namesWritten(config.TAGS_PER_POST, post.tags), []);
  const names = resolveTagEdit(edit, facts, config.TAGS_PER_POST);
  if (post.isLimited) await countRows(db, config, context, "newTag", missingTags(names, facts).length);
  const tags = await tagsNamed(db, names, facts, post.tags.categories);
  const next = await nextTags(db, { had: [], tags, categories: post.tags.categories }, uploader);
  const state: PostState = {
    tagIds: next.tags.map((tag) => tag.id).sort((a, b) => a - b),
    rating: post.rating,
    source: post.source,
    parentId: post.parentId,
    mediaFileId: post.file.id,
  };
  const locks = permittedLocks(context, post.tags);
  const now = new Date();
  const columns = {
    createdAt: now,
    updatedAt: now,
    ...(post.id === undefined ? {} : { id: post.id }),
    ...state,
    ...fileColumns(post.file),
    uploaderId: uploader.id,
    uploaderIp: context.address,
    pixivId: pixivId(post.source),
    isPending: post.isPending,
    ...UNLOCKED,
    ...locks,
  };
  const creating = creatingPost(context, next, columns, { after: state, isOpen: !post.isLimited });
  const [made] = await db.query<{ id: number }>(creating);
  if (!made) throw failure("access_denied");
  const { id } = made;
  await logLocks(db, context, { id, ...UNLOCKED }, locks);
  await refreshParents(db, [post.parentId]);
  await applyTagActions(db, context, id, post.tags.actions, config, post.pools ?? new Set());
  await notify(db, { type: "post_created", id, about: id });
  return id;
}
