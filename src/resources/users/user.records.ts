/** Users as everybody sees them. */
import { sql } from "../../database/client.js";
import { ReadModel } from "../shared/read-model.js";

export interface UserRecord {
  id: number;
  name: string;
  level: number;
  createdAt: Date;
  updatedAt: Date;
  inviterId: number | null;
  baseUploadLimit: number;
  postUploadCount: number;
  postUpdateCount: number;
  noteUpdateCount: number;
  favoriteCount: number;
  isBanned: boolean;
  isDeleted: boolean;
}

export const userRecords = new ReadModel<UserRecord>(
  sql`t.id, t.name, t.level, t.created_at AS "createdAt", t.updated_at AS "updatedAt",
  t.inviter_id AS "inviterId", t.base_upload_limit AS "baseUploadLimit", t.post_upload_count AS "postUploadCount",
  t.post_update_count AS "postUpdateCount", t.note_update_count AS "noteUpdateCount",
  t.favorite_count AS "favoriteCount", t.is_banned AS "isBanned", t.is_deleted AS "isDeleted"`,
  sql`users AS t`,
);
