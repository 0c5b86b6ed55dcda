/**
 * Dmails as they are read. All reading goes through one owner's mailbox, so that nothing that is listed, counted or shown
 * depends on anybody else's copies.
 */
import { type Sql, sql } from "../../database/client.js";
import { ReadModel } from "../shared/read-model.js";

export interface DmailRecord {
  id: number;
  /** whose copy it is: the recipient's or the sender's */
  ownerId: number;
  fromId: number;
  fromName: string;
  toId: number;
  toName: string;
  title: string;
  body: string;
  isRead: boolean;
  isDeleted: boolean;
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = sql`t.id, t.owner_id AS "ownerId", t.from_id AS "fromId", f.name AS "fromName", t.to_id AS "toId",
  r.name AS "toName", t.title, t.body, t.is_read AS "isRead", t.is_deleted AS "isDeleted",
  t.created_at AS "createdAt", t.updated_at AS "updatedAt"`;

const over = (copies: Sql): ReadModel<DmailRecord> =>
  new ReadModel(COLUMNS, sql`(${copies}) AS t JOIN users f ON f.id = t.from_id JOIN users r ON r.id = t.to_id`);

const copiesOf = (ownerId: number): Sql => sql`SELECT * FROM dmails WHERE owner_id = ${ownerId} AND NOT is_deleted`;

/** The copies of one owner. */
export const mailboxOf = (ownerId: number): ReadModel<DmailRecord> => over(copiesOf(ownerId));

/**
 * The same, to search for words in: OFFSET 0 makes PostgreSQL take out the owner's copies first. The index of words holds
 * everybody's, and how long it takes to look through them would tell what others write.
 */
export const searchedMailboxOf = (ownerId: number): ReadModel<DmailRecord> => over(sql`${copiesOf(ownerId)} OFFSET 0`);
