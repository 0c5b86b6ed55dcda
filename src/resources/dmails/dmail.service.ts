/**
 * Dmails: private messages. Sending creates two copies, the recipient's and the sender's (one if they are the same), each of which
 * belongs only to its owner. Others learn nothing about a copy, not even whether it was read or deleted.
 */
import type { SignedIn, Viewer } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import { type Db, sql } from "../../database/client.js";
import { lockRow } from "../../database/lock.js";
import { type BoardError, failure, ValidationErrors, requireFound } from "../../errors.js";
import { notify } from "../../runtime/events/events.js";
import { isUserName } from "../../database/user-name.js";
import { isStorable } from "../../lib/text.js";
import { mayCreate, mayDelete, maySee, mayUpdate } from "./dmail.policy.js";
import { authorize, requireLevel, requireRight } from "../shared/policy.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Filter, type Page, type SearchOf } from "../../search/listing.js";
import type { PageRequest } from "../shared/paging.js";
import type { ServiceParts } from "../shared/service.js";
import { checkText } from "../shared/texts.js";
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

/** All reads are limited to one owner's mailbox, so that lists, counts and records don't depend on the copies of others. */
const mailboxOf = (ownerId: number): ReadModel<DmailRecord> =>
  new ReadModel(
    columns,
    sql`(SELECT * FROM dmails WHERE owner_id = ${ownerId} AND NOT is_deleted) AS t
        LEFT JOIN users f ON f.id = t.from_id LEFT JOIN users r ON r.id = t.to_id`,
  );

/**
 * Words are tested from the owner's newest copy on. There is no index of them: it would contain all users' dmails, and the time to search it
 * would reveal what others write.
 */
const ownWords: Filter<string> = (text) => {
  const condition = by.words(text, sql`t.title || ' ' || t.body`);
  return condition && sql`(${condition})`; // not as served by an index
};

const filters = {
  id: by.ids,
  messageMatches: ownWords,
  ...by.user("to"),
  ...by.user("from"),
  read: by.on(sql`t.is_read`, by.flag),
};
export type DmailSearch = SearchOf<typeof filters>;

/** A message to send. The recipient is given by name or id; both must be the same user. */
export interface NewDmail {
  toName?: string | null;
  toId?: number | null;
  title?: string | null;
  body?: string | null;
}

const TITLE_MAX = 200;
const BODY_MAX = 50_000;
/** Number of dmails that one statement marks as read. */
const MARKED_AT_ONCE = 1_000;

export class DmailService {
  constructor(private readonly parts: ServiceParts) {}

  /** The viewer's own copies, newest first. @throws BoardError 403, 424 for too deep a page */
  search(viewer: Viewer, search: DmailSearch, request: PageRequest): Promise<Page<DmailRecord>> {
    const owner = requireLevel(viewer);
    return mailboxOf(owner.id).list(this.parts, { where: conditionsOf(filters, search) }, request);
  }

  /** One of the viewer's copies, which stays as it is; null for an unknown number. @throws BoardError 403 for another's */
  async find(viewer: Viewer, id: number): Promise<DmailRecord | null> {
    const owner = requireLevel(viewer);
    const dmail = await mailboxOf(owner.id).byId(this.parts.database, id);
    if (dmail) return dmail;
    const refused = await refusal(this.parts.database, owner, id);
    if (refused.key === "not_found") return null;
    throw refused;
  }

  /** Sends. @returns the sender's copy @throws BoardError 403, 420 (recipient, title, body) */
  async send(context: RequestContext, input: NewDmail): Promise<DmailRecord> {
    const sender = requireRight(context.viewer, mayCreate);
    const problems = new ValidationErrors();
    const toId = await recipientOf(this.parts.database, input, problems);
    const text = { title: (input.title ?? "").trim(), body: input.body ?? "" };
    checkText(problems, "title", text.title, { most: TITLE_MAX, isRequired: true });
    checkText(problems, "body", text.body, { most: BODY_MAX, isRequired: true });
    problems.throwIfAny();
    const message = { ...text, toId: Number(toId), fromId: sender.id, creatorIp: context.address };
    return this.parts.transact(async (db) => {
      if (toId !== sender.id) {
        const copy = await db.dmail.create({ data: { ...message, ownerId: message.toId }, select: { id: true } });
        await notify(db, { type: "dmail_received", id: copy.id, about: message.toId });
      }
      const { id } = await db.dmail.create({ data: { ...message, ownerId: sender.id, isRead: true } });
      return mailboxOf(sender.id).get(db, id);
    });
  }

  /** Marks one of the viewer's copies as read or unread; null leaves it as it is. @throws BoardError 403, 404 */
  mark(context: RequestContext, id: number, isRead: boolean | null): Promise<DmailRecord> {
    return this.change(context, id, async (db, dmail) => {
      authorize(context.viewer, mayUpdate(context.viewer, dmail));
      if (isRead === null || isRead === dmail.isRead) return dmail;
      const { updatedAt } = await db.dmail.update({ where: { id }, data: { isRead }, select: { updatedAt: true } });
      return { ...dmail, isRead, updatedAt };
    });
  }

  /** Marks all of the viewer's copies as read. @returns how many were not @throws BoardError 403 */
  async markAllAsRead(context: RequestContext): Promise<number> {
    const { id: ownerId } = requireLevel(context.viewer);
    for (let marked = 0; ; marked += MARKED_AT_ONCE) {
      const count = await this.parts.database.execute(sql`
        UPDATE dmails SET is_read = TRUE, updated_at = now() WHERE id IN (
          SELECT id FROM dmails WHERE owner_id = ${ownerId} AND NOT is_read AND NOT is_deleted
           ORDER BY id LIMIT ${MARKED_AT_ONCE})`);
      if (count < MARKED_AT_ONCE) return marked + count;
    }
  }

  /**
   * Removes the message from the viewer's mailbox; the other party's copy stays. Only the owner of the row is kept, so that others
   * still get 403 and can't find out that it was deleted.
   * @returns the copy as it was @throws BoardError 403, 404
   */
  delete(context: RequestContext, id: number): Promise<DmailRecord> {
    return this.change(context, id, async (db, dmail) => {
      authorize(context.viewer, mayDelete(context.viewer, dmail));
      const { ownerId } = dmail;
      const nothing = { title: "-", body: "-", fromId: ownerId, toId: ownerId, creatorIp: null };
      await db.dmail.update({ where: { id }, data: { ...nothing, isRead: true, isDeleted: true } });
      return { ...dmail, isRead: true, isDeleted: true };
    });
  }

  /** Locks only the owner's own rows, so that others can't learn anything from the time that waiting takes. */
  private change(
    context: RequestContext,
    id: number,
    work: (db: Db, dmail: DmailRecord) => Promise<DmailRecord>,
  ): Promise<DmailRecord> {
    const owner = requireLevel(context.viewer);
    const mailbox = mailboxOf(owner.id);
    return this.parts.transact(async (db) => {
      if (!(await mailbox.byId(db, id))) throw await refusal(db, owner, id);
      await lockRow(db, "dmails", id);
      const dmail = requireFound(await mailbox.byId(db, id));
      return work(db, dmail);
    });
  }
}

/** Why a copy isn't in the viewer's mailbox: it has another owner (403), or does not exist (404). */
async function refusal(db: Db, viewer: SignedIn, id: number): Promise<BoardError> {
  const row = await db.dmail.findUnique({ where: { id }, select: { ownerId: true } });
  return failure(row && !maySee(viewer, row) ? "access_denied" : "not_found");
}

/** The recipient's id; null if it is invalid. */
async function recipientOf(db: Db, { toName, toId }: NewDmail, problems: ValidationErrors): Promise<number | null> {
  const name = toName?.trim() || null;
  const field = name === null && typeof toId === "number" ? "to_id" : "to_name";
  if (field === "to_name" && name === null) return problem(problems, field, "blank");
  const isUser = name === null ? sql`id = ${Number(toId)}` : isUserName(sql`name`, name);
  const users = sql`SELECT id FROM users WHERE ${isUser} AND NOT is_deleted`;
  const [found] = isStorable(name ?? "") ? await db.query<{ id: number }>(users) : [];
  if (!found) return problem(problems, field, "does_not_exist");
  if (typeof toId === "number" && toId !== found.id) return problem(problems, "to_id", "mismatch");
  return found.id;
}

function problem(problems: ValidationErrors, field: string, key: "blank" | "does_not_exist" | "mismatch"): null {
  problems.add(field, key);
  return null;
}
