/** Users as visible to everybody, apart from the number of private favorites. */
import { sql } from "../../database/client.js";
import { isBanned } from "../../runtime/auth/expired-bans.js";
import * as column from "../shared/columns.js";
import { ReadModel } from "../shared/read-model.js";

const columns = {
  ...column.ofRecord,
  name: column.text,
  level: column.integer,
  inviterId: column.nullable(column.integer),
  baseUploadLimit: column.integer,
  postUploadCount: column.integer,
  postUpdateCount: column.integer,
  noteUpdateCount: column.integer,
  favoriteCount: column.integer,
  enablePrivateFavorites: column.boolean,
  isBanned: column.typed<boolean>(sql`boolean`, isBanned(sql`t`)),
  isDeleted: column.boolean,
};
export type UserRecord = column.RecordOf<typeof columns>;

export const userRecords = new ReadModel(columns, sql`users AS t`);
