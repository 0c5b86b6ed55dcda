/** The daily limit of files that wait for approval. */
import type { Config } from "../../config.js";
import { type Db, sql } from "../../database/client.js";
import type { SignedIn } from "../../runtime/auth/viewer.js";
import { checkQuota } from "../shared/quota.js";

/**
 * Below Contributor, the number of files of pending posts per day is limited: those of uploads, and those that replaced one by a new source.
 * @throws BoardError 421
 */
export function checkPendingFiles(db: Db, { UPLOADS_PER_DAY: limit }: Config, { id }: SignedIn): Promise<void> {
  const files = sql`
    SELECT DISTINCT m.id, m.created_at FROM posts p JOIN post_versions v ON v.post_id = p.id JOIN media_files m ON m.id = v.media_file_id
     WHERE p.uploader_id = ${id} AND p.is_pending`;
  return checkQuota(db, files, { limit, within: "day", otherwise: "upload_limit" });
}
