/**
 * The audit log: what happens to accounts, for operators. Lines of the ordinary log that have the field `audit`,
 * written whatever LOG_LEVEL is, `silent` apart. They hold numbers and names of accounts, and never a secret.
 */
import type { RequestContext } from "../../context.js";
import type { Logger } from "./log.js";

export type AuditEvent =
  | "sign_in"
  | "password_changed"
  | "password_refused"
  | "api_key_rotated"
  | "recovery_made"
  | "recovery_refused"
  | "account_recovered"
  | "account_closed"
  | "account_renamed"
  | "level_changed";

/** Who did it, and from where. */
export interface AuditedActor {
  /** null for unauthenticated callers, `board` for the command line */
  by: number | "board" | null;
  /** the client's address */
  address?: string;
  req?: { id: string };
}

export interface AuditEntry extends AuditedActor {
  /** the account that it happened to; null where there is none */
  user: number | null;
  [detail: string]: unknown;
}

/** Who does something, as the audit log says it. */
export const doneBy = (actor: RequestContext | "board"): AuditedActor =>
  actor === "board" ? { by: actor } : { by: actor.viewer.id, address: actor.address, req: { id: actor.requestId } };

export class AuditLog {
  private readonly log: Logger;

  constructor(log: Logger) {
    this.log = log.child({}, { level: log.level === "silent" ? "silent" : "info" });
  }

  /** Writes a line; what is recorded as done has been committed. */
  record(event: AuditEvent, entry: AuditEntry): void {
    this.log.info({ audit: event, ...entry }, event.replaceAll("_", " "));
  }
}
