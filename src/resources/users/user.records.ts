/** Users as visible to everybody. */
import { sql } from "../../database/client.js";
import * as column from "../shared/columns.js";
import { ReadModel } from "../shared/read-model.js";

const columns = {
  id: column.integer,
  name: column.text,
  level: column.integer,
  createdAt: column.time,
  updatedAt: column.time,
  inviterId: column.nullable(column.integer),
  baseUploadLimit: column.integer,
  postUploadCount: column.integer,
  postUpdateCount: column.integer,
  noteUpdateCount: column.integer,
  favoriteCount: column.integer,
  isBanned: column.boolean,
  isDeleted: column.boolean,
};
export type UserRecord = column.RecordOf<typeof columns>;

export const userRecords = new ReadModel<UserRecord>(columns, sql`users AS t`);
