/** Addresses from which users have signed in: each has a limit of its own for wrong passwords. */
import { createHmac } from "node:crypto";
import { type Database, type Sql, sql } from "../../database/client.js";
import { removeExpired } from "../../database/sweep.js";
import { isStorable } from "../../lib/text.js";
import { isUserName } from "../../database/user-name.js";
import { normalizeUserName } from "../../lib/names.js";
import { addressKey } from "../limits/limiter.js";

export interface KnownCaller {
  /** the account with the name; null if there is none */
  userId: number | null;
  /** whether the address has signed in to the account in the last 90 days */
  isKnown: boolean;
}

/** Per account. */
const MAX_ADDRESSES = 100;

const IS_FRESH = sql`last_used_at > now() - interval '90 days'`;
const IS_DUE = sql`known_addresses.last_used_at < now() - interval '1 day'`;

export class KnownAddresses {
  constructor(
    private readonly database: Database,
    private readonly secret: string,
  ) {}

  /** Looks up name and address, with the same work whether the name exists or not. */
  async look(name: string, address: string): Promise<KnownCaller> {
    const known = isStorable(name) ? name : "";
    const earlier = this.hashOf(address, `${normalizeUserName(known)}\0`);
    const [found] = await this.database.byKeys(1).query<KnownCaller>(sql`
      SELECT id AS "userId", EXISTS (SELECT FROM known_addresses
               WHERE user_id = users.id AND digest IN (${this.digestOf(sql`users.id`, address)}, ${earlier}) AND ${IS_FRESH}) AS "isKnown"
        FROM users WHERE ${isUserName(sql`name`, known)} AND NOT is_deleted`);
    return found ?? { userId: null, isKnown: false };
  }

  /** Records, to the day, that the address has signed in to the account; over the maximum, the oldest are deleted. */
  async note(user: { id: number }, address: string): Promise<void> {
    const isNew = await this.database.execute(sql`
      INSERT INTO known_addresses (user_id, digest) VALUES (${user.id}, ${this.digestOf(sql`${user.id}::int`, address)})
      ON CONFLICT (user_id, digest) DO UPDATE SET last_used_at = now() WHERE ${IS_DUE}`);
    if (isNew === 0) return;
    await this.database.execute(sql`
      DELETE FROM known_addresses WHERE user_id = ${user.id} AND digest IN (
        SELECT digest FROM known_addresses WHERE user_id = ${user.id}
         ORDER BY last_used_at DESC, digest OFFSET ${MAX_ADDRESSES})`);
  }

  /** Deletes expired ones. @returns their number */
  sweep(): Promise<number> {
    return removeExpired(this.database, "known_addresses", sql`NOT (${IS_FRESH})`);
  }

  /** Includes the account, so that an address has a different digest for each; not its name, which may change. */
  private digestOf(userId: Sql, address: string): Sql {
    return sql`sha256(${this.hashOf(address)}::bytea || int4send(${userId}))`;
  }

  /** @param name of the account, followed by a NUL, as digests of earlier versions have it */
  private hashOf(address: string, name = ""): Buffer {
    const text = `known address\0${name}${addressKey(address)}`;
    return createHmac("sha256", this.secret).update(text).digest();
  }
}
