/** Users' own accounts: changing the password, replacing the API key, closing, and recovery. */
import type { Authenticator } from "../../runtime/auth/authenticator.js";
import { lockRow } from "../../database/lock.js";
import { hashPassword } from "../../runtime/auth/password.js";
import type { RequestContext } from "../../context.js";
import { failure } from "../../errors.js";
import type { Limiter } from "../../runtime/limits/limiter.js";
import { type AuditEvent, type AuditLog, doneBy } from "../../runtime/telemetry/audit.js";
import {
  checkNewPassword,
  closeAccount,
  findRecovery,
  lockAccount,
  type NewPassword,
  replaceHash,
  requireOwnAccount,
  takeRecovery,
} from "./account.changes.js";
import { userRecords, type UserRecord } from "../users/user.records.js";
import type { ServiceParts } from "../shared/service.js";

/** An account with its new API key. */
export interface RenewedAccount {
  id: number;
  passwordHash: string;
}

export interface PasswordChange extends NewPassword {
  /** the account; by default the viewer's, the only one allowed */
  id?: number | null;
  oldPassword: string;
}

/** A change that needs the account's password. */
export interface Confirmed {
  id?: number | null;
  password: string;
}

export interface Recovery extends NewPassword {
  token: string;
}

export interface AccountServiceParts extends ServiceParts {
  authenticator: Authenticator;
  limiter: Limiter;
  audit: AuditLog;
}

export class AccountService {
  constructor(private readonly parts: AccountServiceParts) {}

  /**
   * Changes the viewer's password, which ends all sessions and the API key.
   * @throws BoardError 403 (also for a wrong old password), 404, 420 for an invalid new password, 421 after too many wrong ones
   */
  async changePassword(context: RequestContext, change: PasswordChange): Promise<RenewedAccount> {
    const viewer = await requireOwnAccount(this.parts.database, context.viewer, change.id);
    await checkNewPassword(change);
    const checked = await this.parts.authenticator.confirm(context, change.oldPassword);
    const renewed = await this.renew(context, viewer.id, change.password, { sessions: true }, checked);
    this.record("password_changed", context, viewer.id);
    return renewed;
  }

  /**
   * Replaces the viewer's API key; the password stays. The old key and the cookies that contain it become invalid; sessions stay.
   * @throws BoardError 403 (also for a wrong password), 404, 421 after too many wrong ones
   */
  async rotateApiKey(context: RequestContext, { id, password }: Confirmed): Promise<RenewedAccount> {
    const viewer = await requireOwnAccount(this.parts.database, context.viewer, id);
    const checked = await this.parts.authenticator.confirm(context, password);
    const renewed = await this.renew(context, viewer.id, password, { sessions: false }, checked);
    this.record("api_key_rotated", context, viewer.id);
    return renewed;
  }

  /**
   * Closes the viewer's account; what the user has written stays.
   * @returns the closed account
   * @throws BoardError 403 (also for a wrong password), 404, 421 after too many wrong ones, 422 for the last Admin
   */
  async close(context: RequestContext, { id, password }: Confirmed): Promise<UserRecord> {
    const viewer = await requireOwnAccount(this.parts.database, context.viewer, id);
    const checked = await this.parts.authenticator.confirm(context, password);
    const closed = await this.parts.transact(async (db) => {
      await lockAccount(db, viewer.id);
      await closeAccount(db, viewer.id, checked);
      return userRecords.get(db, viewer.id);
    });
    this.record("account_closed", context, viewer.id, { name: viewer.name });
    return closed;
  }

  /**
   * Sets a new password by a recovery token, which ends all sessions and the API key.
   * @throws BoardError 403 `recovery_failed`, 420 for an invalid password, 421 after too many wrong tokens from an address
   */
  async recover(context: RequestContext, recovery: Recovery): Promise<UserRecord> {
    await checkNewPassword(recovery);
    const user = await this.parts.limiter.attempt({ address: context.address }, () => this.redeem(context, recovery));
    if (!user) {
      this.record("recovery_refused", context, null);
      throw failure("recovery_failed");
    }
    this.record("account_recovered", context, user.id);
    return user;
  }

  /** @returns the account with its new password; null if the token is invalid */
  private async redeem({ address }: RequestContext, { token, password }: Recovery): Promise<UserRecord | null> {
    const { database, transact } = this.parts;
    const userId = await findRecovery(database, token);
    if (userId === null) return null;
    const passwordHash = await hashPassword(password, this.parts.config, address);
    return transact(async (db) => {
      await lockRow(db, "users", userId); // before the token, as in other changes of the account
      if (!(await takeRecovery(db, token))) return null;
      await replaceHash(db, userId, passwordHash, { sessions: true });
      return userRecords.byId(db, userId);
    });
  }

  private async renew(
    { address }: RequestContext,
    id: number,
    password: string,
    ending: { sessions: boolean },
    checked: string,
  ): Promise<RenewedAccount> {
    const passwordHash = await hashPassword(password, this.parts.config, address);
    await this.parts.transact((db) => replaceHash(db, id, passwordHash, ending, checked));
    return { id, passwordHash };
  }

  private record(event: AuditEvent, context: RequestContext, user: number | null, details = {}): void {
    this.parts.audit.record(event, { ...doneBy(context), user, ...details });
  }
}
