/**
 * The audit log: account events, for operators. They are lines of the ordinary log with the field `audit`,
 * written at any LOG_LEVEL except `silent`. They contain ids and names of accounts, but no secrets.
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

export interface AuditedActor {
  /** null for unauthenticated callers, `board` for the command line */
  by: number | "board" | null;
  address?: string;
  req?: { id: string };
}

export interface AuditEntry extends AuditedActor {
  /** the account concerned; null if there is none */
  user: number | null;
  [detail: string]: unknown;
}

export const doneBy = (actor: RequestContext | "board"): AuditedActor =>
  actor === "board" ? { by: actor } : { by: actor.viewer.id, address: actor.address, req: { id: actor.requestId } };

export class AuditLog {
  private readonly log: Logger;

  constructor(log: Logger) {
    this.log = log.child({}, { level: log.level === "silent" ? "silent" : "info" });
  }

  /** Writes a line. To be called after the commit of what it records. */
  record(event: AuditEvent, entry: AuditEntry): void {
    this.log.info({ audit: event, ...entry }, event.replaceAll("_", " "));
  }
}
