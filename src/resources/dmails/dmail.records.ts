/**
 * Reading dmails. All reads are limited to one owner's mailbox, so that lists, counts and records don't depend on the copies of
 * others.
 */
import { type Sql, sql } from "../../database/client.js";
import * as column from "../shared/columns.js";
import { ReadModel } from "../shared/read-model.js";

const columns = {
  ...column.ofRecord,
  /** the owner of the copy: the recipient or the sender */
  ownerId: column.integer,
  fromId: column.integer,
  fromName: column.userName("f"),
  toId: column.integer,
  toName: column.userName("r"),
  title: column.text,
  body: column.text,
  isRead: column.boolean,
  isDeleted: column.boolean,
};
export type DmailRecord = column.RecordOf<typeof columns>;

const over = (copies: Sql): ReadModel<DmailRecord> =>
  new ReadModel(columns, sql`(${copies}) AS t JOIN users f ON f.id = t.from_id JOIN users r ON r.id = t.to_id`);

const copiesOf = (ownerId: number): Sql => sql`SELECT * FROM dmails WHERE owner_id = ${ownerId} AND NOT is_deleted`;

export const mailboxOf = (ownerId: number): ReadModel<DmailRecord> => over(copiesOf(ownerId));

/**
 * The same for searches of words: OFFSET 0 makes PostgreSQL select the owner's copies first. The index of words contains all
 * users' dmails, and the time to search it would reveal what others write.
 */
export const searchedMailboxOf = (ownerId: number): ReadModel<DmailRecord> => over(sql`${copiesOf(ownerId)} OFFSET 0`);
