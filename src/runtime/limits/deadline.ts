/** Statement timeouts by the viewer's level. */
import { Level } from "../auth/levels.js";
import type { Config } from "../../config.js";

/** The statement timeout for this level in milliseconds; never more than for those above it. */
export function statementDeadline(config: Config, level: number): number {
  const longest = config.STATEMENT_TIMEOUT_MS;
  if (level >= Level.Platinum) return longest;
  const gold = Math.min(config.STATEMENT_TIMEOUT_GOLD_MS, longest);
  return level >= Level.Gold ? gold : Math.min(config.STATEMENT_TIMEOUT_MEMBER_MS, gold);
}
