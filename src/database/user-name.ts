import { userNameKeys } from "../lib/names.js";
import { type Sql, sql } from "./client.js";

/** The condition that a column is the name of the account that a user names, ignoring case. @param column of user names */
export function isUserName(column: Sql, name: string): Sql {
  const keys = userNameKeys(name);
  if (keys.length === 1) return sql`lower(${column}) = ${keys[0]}`;
  return sql`lower(${column}) = (
    SELECT lower(u.name) FROM users u WHERE lower(u.name) = ANY(${keys}::text[])
     ORDER BY array_position(${keys}::text[], lower(u.name)) LIMIT 1)`;
}
