/** Changes of accounts by the command line, without the user's password. Each is recorded. */
import { randomBytes } from "node:crypto";
import { hashPassword, legacyHash, LegacyVerifier } from "../../runtime/auth/password.js";
import { levelName } from "../../runtime/auth/levels.js";
import { type Db, sql } from "../../database/client.js";
import { nameTaken } from "../../database/faults.js";
import { failure, validate, requireFound } from "../../errors.js";
import { isUserName } from "../../database/user-name.js";
import { isStorable } from "../../lib/text.js";
import { type AuditEvent, type AuditLog, doneBy } from "../../runtime/telemetry/audit.js";
import { checkNewPassword, closeAccount, lockAccount, makeRecovery, replaceHash } from "./account.changes.js";
import { recordModAction } from "../mod-actions/mod-action.js";
import { userRecords, type UserRecord } from "../users/user.records.js";
import { checkName } from "../users/user.rules.js";
import type { ServiceParts } from "../shared/service.js";

export interface AccountAdminParts extends ServiceParts {
  audit: AuditLog;
}

/** Every method takes the account's name, and throws a BoardError 404 if there is none or the account is closed. */
export class AccountAdmin {
  constructor(private readonly parts: AccountAdminParts) {}

  /** Changes a level; takes effect at the next request. */
  setLevel(name: string, level: number): Promise<UserRecord> {
    return this.change(name, async (db, user) => {
      await db.user.update({ where: { id: user.id }, data: { level, updatedAt: new Date() }, select: { id: true } });
      const done = `changed the level of user #${user.id} from ${levelName(user.level)} to ${levelName(level)}`;
      await recordModAction(db, null, "user_level", done, { type: "User", id: user.id });
      return () => this.record("level_changed", user, { from: user.level, to: level });
    });
  }

  /**
   * Renames an account. Sessions and the API key stay valid, with the new name; the old name becomes available.
   * @throws BoardError 420 for an invalid name, 423 for a taken one
   */
  async rename(name: string, newName: string): Promise<UserRecord> {
    const checked = validate((problems) => checkName(problems, newName));
    return this.change(name, async (db, user) => {
      const data = { name: checked, updatedAt: new Date() };
      await db.user.update({ where: { id: user.id }, data, select: { id: true } });
      const subject = { type: "User", id: user.id };
      await recordModAction(db, null, "user_rename", `renamed user #${user.id}`, subject);
      return () => this.record("account_renamed", user, { to: checked });
    }).catch(nameTaken);
  }

  /** Closes an account, as its user can. @throws BoardError 422 for the last Admin */
  close(name: string): Promise<UserRecord> {
    return this.change(name, async (db, user) => {
      await closeAccount(db, user.id);
      const subject = { type: "User", id: user.id };
      await recordModAction(db, null, "user_close", `closed the account user #${user.id}`, subject);
      return () => this.record("account_closed", user);
    });
  }

  /**
   * Sets a password, which ends all sessions and the API key.
   * @returns the account and its new API key
   * @throws BoardError 420 for an invalid password
   */
  async setPassword(name: string, password: string): Promise<UserRecord & { passwordHash: string }> {
    await checkNewPassword({ password });
    const passwordHash = await hashPassword(password, this.parts.config);
    const user = await this.change(name, async (db, found) => {
      await replaceHash(db, found.id, passwordHash, { sessions: true });
      return () => this.record("password_changed", found);
    });
    return { ...user, passwordHash };
  }

  /** Sets a random password. @returns the account, its new API key and the password */
  async resetPassword(name: string): Promise<UserRecord & { passwordHash: string; password: string }> {
    const password = randomBytes(18).toString("base64url");
    return { ...(await this.setPassword(name, password)), password };
  }

  /**
   * Replaces the API key; the password and sessions stay.
   * @returns the account and its new API key
   * @throws BoardError 403 for a wrong password
   */
  async rotateApiKey(name: string, password: string): Promise<UserRecord & { passwordHash: string }> {
    const { config, database } = this.parts;
    const { id } = await this.find(database, name);
    const { passwordHash: stored } = await database.user.findFirstOrThrow({ where: { id } });
    const given = legacyHash(password, config.PASSWORD_SALT);
    if (!(await new LegacyVerifier(config.BCRYPT_COST).verify(given, stored))) throw failure("authentication_failed");
    const passwordHash = await hashPassword(password, this.parts.config);
    const user = await this.change(name, async (db, found) => {
      await replaceHash(db, found.id, passwordHash, { sessions: false }, stored);
      return () => this.record("api_key_rotated", found);
    });
    return { ...user, passwordHash };
  }

  /** Creates a token by which a new password can be set, once and within an hour; an earlier one is invalidated. */
  async makeRecovery(name: string): Promise<UserRecord & { token: string; expiresAt: Date }> {
    let made: { token: string; expiresAt: Date } | undefined;
    const user = await this.change(name, async (db, found) => {
      made = await makeRecovery(db, found.id);
      return () => this.record("recovery_made", found);
    });
    return { ...user, ...(made as { token: string; expiresAt: Date }) };
  }

  /**
   * Changes an account in a transaction that has locked its row.
   * @param work returns what to record after the commit
   * @returns the changed account
   */
  private async change(name: string, work: (db: Db, user: UserRecord) => Promise<() => void>): Promise<UserRecord> {
    const { user, record } = await this.parts.transact(async (db) => {
      const { id } = await this.find(db, name);
      await lockAccount(db, id);
      const found = await this.find(db, name);
      const toRecord = await work(db, requireFound(found.id === id && found));
      return { user: await userRecords.get(db, id), record: toRecord };
    });
    record();
    return user;
  }

  private async find(db: Db, name: string): Promise<UserRecord> {
    const isNamed = sql`${isUserName(sql`t.name`, name)} AND NOT t.is_deleted`;
    return requireFound(isStorable(name) && (await userRecords.find(db, isNamed)));
  }

  private record(event: AuditEvent, { id, name }: UserRecord, details = {}): void {
    this.parts.audit.record(event, { ...doneBy("board"), user: id, name, ...details });
  }
}
